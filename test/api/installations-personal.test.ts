import { beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { removeOrphanedInstallations } from '../../src/installations/orphaned-installations.ts'
import {
  type Call,
  caller,
  expectOk,
  newOrganization,
  OPERATOR_KEY,
  type TestOrganization,
} from '../support/client.ts'
import { startFaultProxy } from '../support/fault-proxy.ts'
import { remove, save } from '../support/organizations.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let organization: TestOrganization
let call: Call
/** Calls of another administrator. */
let second: Call

beforeAll(async () => {
  service = await startService()
})
beforeEach(async () => {
  organization = await newOrganization(service)
  call = organization.call
  second = await join('second')
})

async function join(username: string, by: TestOrganization = organization): Promise<Call> {
  await expectOk(save(by.call, username, { role: 'administrator' }))
  return caller(service, { key: await by.key(username), organization: by.id })
}

const values = { fileUrl: 'https://a.example/p.csv', password: 'canary-5b1e-password' }

async function install(by: Call, extensionLevel: 'user' | 'organization' = 'user') {
  const body = { extensionLevel, additionalData: values }
  return (await expectOk(by('POST /api/extensions/available/file/install', { body }))).body.id
}

const update = (by: Call, id: string, body: object) =>
  by(`PUT /api/extensions/installed/${id}`, { body })
const uninstall = (by: Call, id: string) => by(`DELETE /api/extensions/installed/${id}`)
const isSeen = async (by: Call, id: string) =>
  JSON.stringify((await expectOk(by('GET /api/extensions/installed'))).body).includes(id)

/** All stored documents of an installation, of any user. */
async function stored(id: string) {
  const { client, indexName } = service.services.elastic
  const index = indexName('installations')
  await client.indices.refresh({ index })
  return (await client.search({ index, query: { term: { id } } })).hits.hits
}

test('what a user of the parent installed personally is not there for that name in a child', async () => {
  // The child's administrator has the same username, which each organization may assign as it
  // likes.
  const child = await newOrganization(service, organization.id)
  const id = await install(call)
  expect(await isSeen(call, id)).toBe(true)
  expect(await isSeen(child.call, id)).toBe(false)
  expect((await child.call(`GET /api/extensions/installed/${id}/logs`)).status).toBe(404)
})

describe('extensionLevel user in an update', () => {
  test('makes it the extension of who says so, who can take that back', async () => {
    const id = await install(call, 'organization')
    await expectOk(update(second, id, { extensionLevel: 'user' }))
    expect([await isSeen(second, id), await isSeen(call, id)]).toEqual([true, false])
    await expectOk(update(second, id, { extensionLevel: 'organization' }))
    expect([await isSeen(second, id), await isSeen(call, id)]).toEqual([true, true])
  })

  test('leaves somebody’s own what it is', async () => {
    const id = await install(call)
    await expectOk(update(call, id, { extensionLevel: 'user', enabled: false }))
    expect([await isSeen(call, id), await isSeen(second, id)]).toEqual([true, false])
    expect((await update(second, id, { extensionLevel: 'user' })).status).toBe(404)
  })
})

describe('somebody’s own extension', () => {
  test('is uninstalled by another administrator too, who cannot read, change or run it', async () => {
    const id = await install(call)
    expect(await isSeen(second, id)).toBe(false)
    const lines = [
      `GET /api/extensions/installed/${id}/logs`,
      `POST /api/extensions/import/${id}/run`,
    ]
    for (const line of lines) expect((await second(line)).status).toBe(404)
    expect((await update(second, id, { enabled: false })).status).toBe(404)
    const stranger = await newOrganization(service)
    const child = await newOrganization(service, organization.id)
    for (const by of [stranger.call, child.call]) {
      const [foreign, missing] = [await uninstall(by, id), await uninstall(by, crypto.randomUUID())]
      expect([foreign.status, foreign.body]).toEqual([404, missing.body])
    }
    await expectOk(uninstall(second, id))
    expect(await stored(id)).toEqual([])
    expect((await uninstall(call, id)).status).toBe(404)
  })

  test('goes with its user, whose others stay, and so do those of others', async () => {
    const mine = await install(call)
    const [theirs, shared] = [await install(second), await install(second, 'organization')]
    await expectOk(remove(call, 'second'))
    expect(await stored(theirs)).toEqual([])
    expect([await isSeen(call, mine), await isSeen(call, shared)]).toEqual([true, true])
  })

  test('stays while its user has a role in the parent, and goes with that', async () => {
    const child = await newOrganization(service, organization.id)
    const key = await organization.key('second')
    const inChild = caller(service, { key, organization: child.id })
    const id = await install(inChild)
    await expectOk(save(child.call, 'second', {}))
    await expectOk(remove(child.call, 'second'))
    expect(await isSeen(inChild, id)).toBe(true)
    await expectOk(remove(call, 'second'))
    expect(await stored(id)).toEqual([])
  })

  test('of an operator, who is no member, stays', async () => {
    const operator = caller(service, { key: OPERATOR_KEY, organization: organization.id })
    const id = await install(operator)
    await removeOrphanedInstallations(service.services)
    expect(await isSeen(operator, id)).toBe(true)
  })

  test('goes later where it could not go with its user', async () => {
    const proxy = await startFaultProxy(inject('elasticsearch').node)
    const faulty = await startService({ node: proxy.node })
    try {
      const id = await install(second)
      const key = await organization.key('administrator')
      const through = caller(faulty, { key, organization: organization.id })
      proxy.set('down', (line) => line.includes('installations'))
      await expectOk(remove(through, 'second'))
      proxy.set('none')
      expect(await stored(id)).toHaveLength(1)
      await removeOrphanedInstallations(faulty.services)
      expect(await stored(id)).toEqual([])
    } finally {
      await faulty.stop()
      await proxy.close()
    }
  })
})
