import { beforeAll, describe, expect, test } from 'vitest'
import { bootstrapOperator } from '../../src/keys/bootstrap.ts'
import type { Service } from '../../src/service.ts'
import {
  type Answer,
  type Call,
  caller,
  expectOk,
  newOrganization,
  OPERATOR_KEY,
  type TestOrganization,
} from '../support/client.ts'
import { freshInstances } from '../support/fresh-instances.ts'
import { details, newId, save } from '../support/organizations.ts'
import { withProbes } from '../support/probe.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let operator: Call

beforeAll(async () => {
  service = await startService()
  operator = caller(service, { key: OPERATOR_KEY })
})

describe('Get Organizations', () => {
  let parent: TestOrganization
  let child: TestOrganization
  const idsOf = ({ body }: Answer): string[] =>
    body.organizations.map(({ id }: { id: string }) => id)

  beforeAll(async () => {
    parent = await newOrganization(service)
    child = await newOrganization(service, parent.id)
  })

  test('lists what the key can access, whatever organization is named', async () => {
    const both = [parent.id, child.id].sort()
    const key = await parent.key('viewer')
    for (const organization of [null, parent.id, child.id]) {
      const answer = await operator('GET /api/organizations', { key, organization })
      expect(idsOf(answer)).toEqual(both)
    }
    expect(idsOf(await child.call('GET /api/organizations'))).toEqual([child.id])
  })

  test('lists the organizations of a user with several', async () => {
    const other = await newOrganization(service)
    const username = newId()
    for (const { call } of [parent, other]) await expectOk(save(call, username))
    const { body } = await expectOk(
      operator('POST /api/KeyAuth/keys', {
        organization: other.id,
        body: { username, allOrganizations: true },
      }),
    )
    const answer = await operator('GET /api/organizations', { key: body.key })
    expect(idsOf(answer)).toEqual([parent.id, child.id, other.id].sort())
  })

  test('lists all for an operator, page by page', async () => {
    const [own] = (await freshInstances(1)) as [Service]
    const key = await bootstrapOperator(own.services, undefined)
    const call = caller(withProbes(own), { key: key! })
    const ids = ['a', 'b', 'c', 'd', 'e']
    for (const id of ids) {
      await expectOk(call('POST /api/organizations', { body: { id, name: id } }))
    }
    const pages = await Promise.all(
      [0, 1, 2, 3].map((page) => expectOk(call(`GET /api/organizations?pageSize=2&page=${page}`))),
    )
    expect(pages.map(idsOf)).toEqual([['a', 'b'], ['c', 'd'], ['e'], []])
    expect(pages.map(({ body }) => body.total)).toEqual([5, 5, 5, 5])
    expect(idsOf(await call('GET /api/organizations'))).toEqual(ids)
  })

  test('shows each organization its own catalogs', async () => {
    await expectOk(parent.call('POST /api/Catalog', { body: { name: 'above', active: true } }))
    await expectOk(child.call('POST /api/Catalog', { body: { name: 'below', active: true } }))
    const { body } = await expectOk(parent.call('GET /api/organizations'))
    const names = Object.fromEntries(
      body.organizations.map((one: { id: string; catalogs: { name: string }[] }) => [
        one.id,
        one.catalogs.map(({ name }) => name),
      ]),
    )
    expect(names).toEqual({ [parent.id]: ['above'], [child.id]: ['below'] })
    expect((await details(child)).catalogs).toMatchObject([{ name: 'below', active: true }])
  })

  test('shows the first hundred users of each; the details show all', async () => {
    const users = Array.from({ length: 150 }, (_, n) => ({ username: `u${n}`, role: 'viewer' }))
    const [first, second] = [newId(), newId()]
    for (const id of [first, second]) {
      const body = { id, name: id, parent: parent.id, users: id === first ? users : [] }
      await expectOk(operator('POST /api/organizations', { body }))
    }
    const { body } = await expectOk(parent.call('GET /api/organizations'))
    const listed = (id: string) =>
      body.organizations.find((one: { id: string }) => one.id === id).users
    expect(listed(first)).toHaveLength(100)
    expect(listed(first)[99]).toMatchObject({ username: 'u99', role: 'viewer' })
    expect(listed(second)).toEqual([])
    const all = await parent.call('GET /api/organizations/current', { organization: first })
    expect(all.body.users).toHaveLength(150)
  })

  test.each([
    'page=-1',
    'page=x',
    'page=40',
    'pageSize=10&page=1000',
    'pageSize=251',
    'pageSize=-1',
  ])('refuses %s', async (query) => {
    expect((await operator(`GET /api/organizations?${query}`)).status).toBe(400)
  })
})
