import { beforeAll, expect, test } from 'vitest'
import { bulk } from '../../src/elastic/bulk.ts'
import { refreshCoalesced } from '../../src/elastic/refresh.ts'
import { limits } from '../../src/limits.ts'
import type { Context } from '../../src/operation.ts'
import { emptyWorkspace } from '../../src/workspaces/changes.ts'
import { changeWorkspace, workspacesOf } from '../../src/workspaces/store.ts'
import { seedCatalog } from '../support/catalog.ts'
import { caller, expectOk, newOrganization } from '../support/client.ts'
import { mostUnderWay, roundTrips } from '../support/probe.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})

/** Stores workspaces directly, since a thousand requests take long. */
async function seed(organization: string, count: number) {
  const { elastic } = service.services
  const { place, documentId } = workspacesOf(service.services, organization)
  const _index = elastic.indexName(place.kind)
  const items = Array.from({ length: count }, (_, n) => ({
    action: JSON.stringify({
      index: {
        _index,
        _id: documentId(`seeded ${n} ${crypto.randomUUID()}`),
        routing: place.routing,
      },
    }),
    document: JSON.stringify({
      scope: place.scope,
      ...emptyWorkspace({
        id: crypto.randomUUID(),
        name: `w ${n}`,
        session: null,
        username: 'ada',
      }),
    }),
  }))
  const results = await bulk(elastic, items, { refresh: true })
  expect(results.filter(({ error }) => error)).toEqual([])
}

test('an organization has a limited number of workspaces, however they are created', async () => {
  const { id, call } = await newOrganization(service)
  const organization = { id, call } as Parameters<typeof seedCatalog>[1]
  const catalog = await seedCatalog(service, organization, [{ id: 'a' }])
  await seed(id, limits.workspaces - 1)
  const create = (name: string) => call('POST /api/workspaces', { body: { name } })
  const add = (name: string) =>
    call(`POST /api/Catalog/${catalog}/products/a/addToWorkspace/${name}`)
  await expectOk(create('last'))
  const message = 'An organization has at most 1000 workspaces.'
  expect(await create('more')).toMatchObject({ status: 400, body: { message } })
  expect(await add('more')).toMatchObject({ status: 400, body: { message } })
  expect((await create('last')).status).toBe(400)
  await expectOk(add('last'))
  const { workspaces } = (await expectOk(call('GET /api/workspaces'))).body
  expect(workspaces).toHaveLength(limits.workspaces)
  expect(workspaces[0]).toMatchObject({ name: 'last', products: [{ productId: 'a' }] })
  await expectOk(call('DELETE /api/workspaces/last'))
  await expectOk(add('more'))
})

test('a workspace has a limited number of extension fields', async () => {
  const { id, call } = await newOrganization(service)
  const { body } = await expectOk(call('POST /api/workspaces', { body: { name: 'full' } }))
  const fields = Array.from({ length: limits.workspaceFields - 1 }, (_, n) => ({
    extensionId: 'erp',
    key: `f ${n}`,
    value: 'v',
  }))
  const ctx = { ...service.services, organization: { id }, signal: AbortSignal.timeout(30_000) }
  await changeWorkspace(ctx as unknown as Context, { id: body.id, name: 'full' }, (workspace) => ({
    ...workspace,
    fields,
  }))
  const set = (field: string, value: string | null) =>
    call(`PUT /api/workspaces/full/metadata/erp/${field}`, { body: { value } })
  await expectOk(set('last', '1'))
  expect(await set('more', '1')).toMatchObject({
    status: 400,
    body: { message: 'A workspace has at most 1000 fields.' },
  })
  await expectOk(set('last', '2'))
  const shown = (await expectOk(call('GET /api/workspaces/full/metadata/erp'))).body
  expect(shown.fields).toHaveLength(limits.workspaceFields)
  await expectOk(set('last', null))
  await expectOk(set('more', '1'))
})

test('large workspaces of an organization are read one after the other', async () => {
  const { id, call } = await newOrganization(service)
  const { body } = await expectOk(call('POST /api/workspaces', { body: { name: 'large' } }))
  const ctx = { ...service.services, organization: { id }, signal: AbortSignal.timeout(30_000) }
  const fields = Array.from({ length: 10 }, (_, n) => ({
    ...{ extensionId: 'erp', key: `f ${n}` },
    value: 'x'.repeat(limits.fieldValueLength),
  }))
  await changeWorkspace(ctx as unknown as Context, { id: body.id, name: 'large' }, (workspace) => ({
    ...workspace,
    fields,
  }))
  const read = () => expectOk(call('GET /api/workspaces/large'))
  await read()
  const most = await mostUnderWay(
    service,
    () => Promise.all([read(), read(), read(), read()]),
    ({ path, body }) =>
      /workspaces\/_doc/.test(path) || (path === '/_mget' && /workspaces/.test(`${body}`)),
  )
  expect(most).toBe(1)
})

test('concurrent requests for the list share the reads of Elasticsearch', async () => {
  const { elastic } = service.services
  const refreshes = await roundTrips(
    service,
    () => Promise.all(Array.from({ length: 20 }, () => refreshCoalesced(elastic, 'workspaces'))),
    ({ path }) => /workspaces\/_refresh$/.test(path),
  )
  // One may have begun before the other requests, and one serves these.
  expect(refreshes).toBeGreaterThan(0)
  expect(refreshes).toBeLessThanOrEqual(2)
})

test.each([
  [6, 200],
  [24, 50],
])('%i concurrent batches of %i items respect the limit of a workspace', async (count, size) => {
  const elsewhere = await startService()
  const organization = await newOrganization(service)
  const who = { key: await organization.key('viewer'), organization: organization.id }
  const calls = [caller(service, who), caller(elsewhere, who)]
  const ids = Array.from({ length: count * size }, (_, n) => `p-${n}`)
  const catalog = await seedCatalog(
    service,
    organization,
    ids.map((id) => ({ id, msrp: 1 })),
  )
  await expectOk(organization.call('POST /api/workspaces', { body: { name: 'met' } }))
  const answers = await Promise.all(
    Array.from({ length: count }, (_, n) => {
      const items = ids.slice(n * size, (n + 1) * size).map((productId) => ({ catalog, productId }))
      return calls[n % 2]!('POST /api/workspaces/met/items', { body: { items } })
    }),
  )
  const { products, totals } = (await expectOk(calls[0]!('GET /api/workspaces/met'))).body
  const added = answers.filter(({ status }) => status === 200).length
  expect(added).toBeGreaterThan(0)
  expect(products.length).toBeGreaterThanOrEqual(added * size)
  expect(products.length).toBeLessThanOrEqual(limits.workspaceItems)
  expect([products.length % size, totals.items]).toEqual([0, products.length])
  const refused = answers.filter(({ status }) => status !== 200)
  // A request that waits too long for the others is told to try again.
  expect(refused.filter(({ status }) => status !== 400 && status !== 503)).toEqual([])
  const shown = new Set(products.map(({ productId }: { productId: string }) => productId))
  const others = ids.filter((id) => !shown.has(id)).slice(0, limits.workspaceItems)
  const items = others.map((productId) => ({ catalog, productId }))
  const more = await calls[0]!('POST /api/workspaces/met/items', { body: { items } })
  expect(more).toMatchObject({
    status: 400,
    body: { message: 'A workspace has at most 500 items.' },
  })
})
