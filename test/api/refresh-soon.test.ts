import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectOk, newOrganization, type TestOrganization } from '../support/client.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let organization: TestOrganization

/** How often the index of products refreshes by itself. */
const refreshEvery = (interval: string) => {
  const { client, indexName } = service.services.elastic
  const settings = { refresh_interval: interval }
  return client.indices.putSettings({ index: indexName('products'), settings })
}

beforeAll(async () => {
  service = await startService()
  organization = await newOrganization(service)
  await expectOk(organization.call('POST /api/Catalog', { body: { name: 'c' } }))
  await refreshEvery('-1')
})

afterAll(() => refreshEvery('2s'))

test('what requests write is found soon, though the index refreshes rarely', async () => {
  const { call } = organization
  const drills = async (more: object = {}) => {
    const body = { keywords: 'drill', ...more }
    const answer = await expectOk(call('POST /api/search/simple?catalog=c', { body }))
    return answer.body.products.map(({ id }: { id: string }) => id).toSorted()
  }
  const write = (line: string, body?: object) =>
    expectOk(call(line, body === undefined ? {} : { body }))
  await write('POST /api/Catalog/c/products', { id: 'a', name: 'Drill' })
  await expect.poll(() => drills()).toEqual(['a'])
  await write('POST /api/Catalog/c/products/batch', {
    operations: [{ action: 'create', product: { id: 'b', name: 'Saw' } }],
  })
  await write('PUT /api/Catalog/c/products/b', { name: 'Drill' })
  await expect.poll(() => drills()).toEqual(['a', 'b'])
  await write('DELETE /api/Catalog/c/products/a')
  await expect.poll(() => drills()).toEqual(['b'])
  await write('POST /api/Catalog/c/products/batch', {
    operations: [{ action: 'create', product: { id: 'c', name: 'Drill' } }],
  })
  await expect.poll(() => drills()).toEqual(['b', 'c'])
  await write('POST /api/Catalog/c/offers', { offers: [{ id: 'c', vendorName: 'Nord', cost: 1 }] })
  await expect.poll(() => drills({ vendors: ['Nord'] })).toEqual(['c'])
})
