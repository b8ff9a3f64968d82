import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import {
  type Call,
  caller,
  expectOk,
  newOrganization,
  type TestOrganization,
} from '../support/client.ts'
import { startFaultProxy } from '../support/fault-proxy.ts'
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

async function found(keywords: string, more: object = {}): Promise<string[]> {
  const body = { keywords, ...more }
  const answer = await expectOk(organization.call('POST /api/search/simple?catalog=c', { body }))
  return answer.body.products.map(({ id }: { id: string }) => id).toSorted()
}

const drills = (more?: object) => found('drill', more)

const write = (line: string, body?: object, call: Call = organization.call) =>
  expectOk(call(line, body === undefined ? {} : { body }))

test('what requests write is found soon, though the index refreshes rarely', async () => {
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

test('so is a change whose answer was lost', async () => {
  const proxy = await startFaultProxy(inject('elasticsearch').node)
  onTestFinished(() => proxy.close())
  const { id, key } = organization
  const faulty = caller(await startService({ node: proxy.node }), {
    ...{ key: await key('editor'), organization: id },
  })
  await write('POST /api/Catalog/c/products', { id: 'lost', name: 'Saw' })
  await expect.poll(() => found('saw')).toEqual(['lost'])
  await service.services.background.settled()
  let left = 1
  const isWrite = (line: string) => /^PUT \/[^/]*products[^/]*\/_doc/.test(line)
  proxy.set('dropAnswer', (line) => isWrite(line) && left-- > 0)
  await write('PUT /api/Catalog/c/products/lost', { name: 'Wrench' }, faulty)
  expect(left).toBeLessThan(1)
  await expect.poll(() => found('wrench')).toEqual(['lost'])
})
