import { afterAll, beforeAll, expect, test } from 'vitest'
import { limits } from '../../src/limits.ts'
import { ownCatalog } from '../support/catalog.ts'
import { expectOk, newOrganization, type TestOrganization } from '../support/client.ts'
import { importFile, newCatalog, rejectsOf } from '../support/imports.ts'
import { startService, type TestService } from '../support/service.ts'

const MOST = 100
const { countedValues } = limits

let service: TestService
let acme: TestOrganization

beforeAll(async () => {
  Object.assign(limits, { countedValues: MOST })
  service = await startService()
  acme = await newOrganization(service)
  await newCatalog(acme)
})
afterAll(() => {
  Object.assign(limits, { countedValues })
})

const facets = (at: number, count = 10) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`Serial ${n}`, `${at}-${n}`]))
const jsonl = (...products: object[]) => products.map((one) => JSON.stringify(one)).join('\n')
const asJsonl = { name: 'data.jsonl' }
const put = (id: string, body: object, to = acme, catalog = 'c') =>
  to.call(`PUT /api/Catalog/${catalog}/products/${id}`, { body })
const create = (id: string, body: object, to = acme, catalog = 'c') =>
  to.call(`POST /api/Catalog/${catalog}/products`, { body: { id, ...body } })

const REFUSED =
  'the organization has 100 different facet values in the index that catalogs share, which is the limit'

test('an organization has a bounded number of different facet values in the shared index', async () => {
  const products = Array.from({ length: 12 }, (_, at) => ({ id: `P${at}`, facets: facets(at) }))
  await importFile(acme.call, jsonl(...products), asJsonl)
  let last = 100
  await expect
    .poll(async () => (await create(`P${++last}`, { facets: facets(last, 1) })).status)
    .toBe(400)

  // Every way of writing is refused, with the reason.
  const changed = await put('P0', { facets: { Serial: 'new' } })
  expect(changed).toMatchObject({ status: 400, body: { message: `body: ${REFUSED}` } })
  const operations = [
    { action: 'upsert', product: { id: 'B1', facets: { Serial: 'new' } } },
    { action: 'upsert', product: { id: 'B2', name: 'no facets' } },
  ]
  const batch = await expectOk(
    acme.call('POST /api/Catalog/c/products/batch', { body: { operations } }),
  )
  expect(batch.body.results).toMatchObject([
    { status: 400, message: `product: ${REFUSED}` },
    { status: 200 },
  ])
  const task = await importFile(
    acme.call,
    jsonl({ id: 'P0', name: 'Anvil', facets: facets(0) }, { id: 'I1', facets: facets(77) }),
    asJsonl,
  )
  expect(task).toMatchObject({ updated: 1, rejected: 1 })
  expect(await rejectsOf(acme.call, task)).toContain(REFUSED)

  // What a product has it keeps, and others are not concerned.
  await expectOk(put('P1', { facets: facets(1, 5), manufacturer: 'Northforge' }))
  const other = await newOrganization(service)
  await newCatalog(other)
  await expectOk(create('P1', { facets: facets(1_000) }, other))
  const own = await ownCatalog(service, acme, 1)
  await expectOk(create('P1', { facets: facets(2_000) }, acme, own.name))

  // With fewer values, new ones are accepted again.
  for (const { id } of products.slice(2)) await expectOk(put(id, { facets: {} }))
  await expect.poll(async () => (await put('P0', { facets: { Serial: 'new' } })).status).toBe(200)
})
