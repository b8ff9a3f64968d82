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
import { requestsSent } from '../support/probe.ts'
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

test('a personal installation of a parent’s user is not available to a user of that name in a child', async () => {
  // The child's administrator has the same username, which each organization may assign as it
  // likes.
  const child = await newOrganization(service, organization.id)
  const id = await install(call)
  expect(await isSeen(call, id)).toBe(true)
  expect(await isSeen(child.call, id)).toBe(false)
  expect((await child.call(`GET /api/extensions/installed/${id}/logs`)).status).toBe(404)
})

describe('extensionLevel user in an update', () => {
  test('turns it into a personal installation of the caller, who can undo this', async () => {
    const id = await install(call, 'organization')
    await expectOk(update(second, id, { extensionLevel: 'user' }))
    expect([await isSeen(second, id), await isSeen(call, id)]).toEqual([true, false])
    await expectOk(update(second, id, { extensionLevel: 'organization' }))
    expect([await isSeen(second, id), await isSeen(call, id)]).toEqual([true, true])
  })

  test('does not take over another user’s installation', async () => {
    const id = await install(call)
    await expectOk(update(call, id, { extensionLevel: 'user', enabled: false }))
    expect([await isSeen(call, id), await isSeen(second, id)]).toEqual([true, false])
    expect((await update(second, id, { extensionLevel: 'user' })).status).toBe(404)
  })
})

describe('another user’s personal installation', () => {
  test('can be uninstalled by another administrator, but not read, changed or run', async () => {
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

  test('is removed with its user; those in other organizations and of other users stay', async () => {
    const mine = await install(call)
    const [theirs, shared] = [await install(second), await install(second, 'organization')]
    const sent = await requestsSent(service, () => expectOk(remove(call, 'second')))
    // Values of installations may take megabytes.
    const asked = sent
      .filter(({ path }) => path.includes('installations/_search'))
      .map(({ body }) => JSON.parse(`${body}`)._source)
    expect(asked).toContainEqual(['id', 'scope', 'username'])
    expect(asked).not.toContainEqual(undefined)
    expect(await stored(theirs)).toEqual([])
    expect([await isSeen(call, mine), await isSeen(call, shared)]).toEqual([true, true])
  })

  test('stays while its user has a role in the parent, and is removed with it', async () => {
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

  test('stays if its user is an operator without membership', async () => {
    const operator = caller(service, { key: OPERATOR_KEY, organization: organization.id })
    const id = await install(operator)
    await removeOrphanedInstallations(service.services)
    expect(await isSeen(operator, id)).toBe(true)
  })

  test('is removed later if it could not be removed with its user', async () => {
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
