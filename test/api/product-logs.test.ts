import { beforeAll, describe, expect, inject, test } from 'vitest'
import { collection } from '../../src/elastic/collection.ts'
import { productsOf } from '../../src/products/product-documents.ts'
import { flushPending } from '../../src/products/settle-log.ts'
import { type Call, expectOk, newOrganization, type TestOrganization } from '../support/client.ts'
import { startFaultProxy } from '../support/fault-proxy.ts'
import { roundTrips } from '../support/probe.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let organization: TestOrganization
let call: Call

beforeAll(async () => {
  service = await startService()
  organization = await newOrganization(service)
  call = organization.call
  await expectOk(call('POST /api/Catalog', { body: { name: 'c' } }))
})

const path = (id: string) => `/api/Catalog/c/products/${id}`
const create = (body: object) => expectOk(call('POST /api/Catalog/c/products', { body }))
const update = (id: string, body: object) => expectOk(call(`PUT ${path(id)}`, { body }))
const logs = async (id: string, query = '') =>
  (await expectOk(call(`GET ${path(id)}/logs${query}`))).body.items

describe('Get Product Logs', () => {
  test('returns who changed what, newest first, at once and later', async () => {
    await create({
      id: 'a',
      name: 'One',
      attributes: { Color: 'red', Size: 'L' },
      vendors: [
        { vendorName: 'Acme', cost: 1 },
        { vendorName: 'Zeta', cost: 2 },
      ],
    })
    await update('a', {
      name: 'Two',
      attributes: { Color: 'blue', Size: 'L', Weight: '1 kg' },
      vendors: [
        { vendorName: 'Zeta', cost: 2 },
        { vendorName: 'Acme', cost: 3 },
      ],
    })
    const editor = await organization.as('editor')
    await expectOk(editor(`PUT ${path('a')}`, { body: { name: null } }))

    const now = await logs('a')
    expect(now).toEqual([
      {
        catalog: 'c',
        productId: 'a',
        updatedBy: 'editor',
        timestamp: expect.stringMatching(/Z$/),
        fieldsUpdated: ['name'],
        id: expect.any(String),
        source: 'api',
        changes: [{ field: 'name', before: 'Two', after: null }],
      },
      expect.objectContaining({
        updatedBy: 'administrator',
        fieldsUpdated: ['name', 'vendors', 'attributes'],
        changes: [
          { field: 'name', before: 'One', after: 'Two' },
          {
            field: 'vendors',
            before: [expect.objectContaining({ vendorName: 'Acme', cost: 1 })],
            after: [expect.objectContaining({ vendorName: 'Acme', cost: 3 })],
          },
          {
            field: 'attributes',
            before: { Color: 'red' },
            after: { Color: 'blue', Weight: '1 kg' },
          },
        ],
      }),
      expect.objectContaining({ fieldsUpdated: ['name', 'vendors', 'attributes'] }),
    ])
    await service.services.background.settled()
    expect(await logs('a')).toEqual(now)
    const under10 = await call('GET /api/Catalog/c/a/logs', { version: '1.0' })
    expect(under10.body.items).toEqual(now)
  })

  test('has no entry for a change without effect', async () => {
    await create({ id: 'still', name: 'One', vendors: [{ vendorName: 'A' }, { vendorName: 'B' }] })
    const { body } = await call(`GET ${path('still')}`)
    await update('still', body)
    await update('still', { name: ' One ' })
    await update('still', { vendors: body.vendors.toReversed() })
    await update('still', {})
    expect(await logs('still')).toHaveLength(1)
    expect((await call(`GET ${path('still')}`)).body.version).toBe('1')
  })

  test('is paged, with each entry once, whether it is stored already or not', async () => {
    await create({ id: 'paged' })
    for (let n = 1; n <= 6; n++) await update('paged', { name: `n${n}` })
    await service.services.background.settled()
    for (let n = 7; n <= 9; n++) await update('paged', { name: `n${n}` })
    const names = async (query: string) =>
      (await logs('paged', query)).map(
        ({ changes }: { changes: { after: unknown }[] }) => changes[0]?.after ?? 'created',
      )
    expect(await names('?page=0&pageSize=4')).toEqual(['n9', 'n8', 'n7', 'n6'])
    expect(await names('?page=1&pageSize=4')).toEqual(['n5', 'n4', 'n3', 'n2'])
    expect(await names('?page=2&pageSize=4')).toEqual(['n1', 'created'])
    expect(await names('?page=3&pageSize=4')).toEqual([])
    expect(await names('')).toHaveLength(10)
  })

  test.each(['page=-1', 'page=x', 'pageSize=251', 'page=10000', 'page=1000000000'])(
    'returns 400 for %s',
    async (query) => {
      await call('POST /api/Catalog/c/products', { body: { id: 'bounds' } })
      expect((await call(`GET ${path('bounds')}/logs?${query}`)).status).toBe(400)
    },
  )

  test('returns 404 for a missing product', async () => {
    const answer = await call(`GET ${path('nothing')}/logs`)
    expect([answer.status, answer.body.message]).toEqual([404, 'Product not found.'])
  })

  test('is separate for each product and each catalog', async () => {
    await expectOk(call('POST /api/Catalog', { body: { name: 'd' } }))
    await create({ id: 'shared id' })
    await expectOk(call('POST /api/Catalog/d/products', { body: { id: 'shared id', name: 'D' } }))
    await service.services.background.settled()
    expect(await logs('shared%20id')).toHaveLength(1)
    const other = await call('GET /api/Catalog/d/products/shared%20id/logs')
    expect(other.body.items).toHaveLength(1)
    expect(other.body.items[0]).toMatchObject({ catalog: 'd', fieldsUpdated: ['name'] })
  })
})

describe('months', () => {
  test('a log continues across months', async () => {
    let time = Date.parse('2031-01-31T23:59:59.500Z')
    const later = await startService({ clock: { now: () => new Date(time) } })
    const other = await newOrganization(later)
    await expectOk(other.call('POST /api/Catalog', { body: { name: 'c' } }))
    await expectOk(other.call('POST /api/Catalog/c/products', { body: { id: 'long' } }))
    for (const name of ['January', 'February']) {
      await expectOk(other.call(`PUT ${path('long')}`, { body: { name } }))
      time += 1_000
    }
    await later.services.background.settled()
    const { items } = (await other.call(`GET ${path('long')}/logs`)).body
    expect(items.map(({ timestamp }: { timestamp: string }) => timestamp)).toEqual([
      '2031-02-01T00:00:00.500Z',
      '2031-01-31T23:59:59.500Z',
      '2031-01-31T23:59:59.500Z',
    ])
  })
})

describe('pending entries in the product', () => {
  const stored = (id: string) =>
    productsOf(service.services, { owner: organization.id, name: 'c', index: null }).get(id)

  test('of many products are stored together, however many are changed at once', async () => {
    const ids = Array.from({ length: 40 }, (_, at) => `together-${at}`)
    const changed = () => Promise.all(ids.map((id) => create({ id })))
    const sent = await roundTrips(
      service,
      async () => {
        await changed()
        await service.services.background.settled()
      },
      ({ path: asked, querystring = '' }) => asked === '/_bulk' && querystring.includes('wait_for'),
    )
    // One is under way when the others come.
    expect(sent).toBeLessThanOrEqual(4)
    for (const id of ids) expect(await logs(id)).toHaveLength(1)
  })

  test('of many changes in a row are stored together', async () => {
    await create({ id: 'often', name: '0' })
    const bulks = await roundTrips(
      service,
      async () => {
        for (let at = 1; at <= 30; at++) await update('often', { name: `${at}` })
        await service.services.background.settled()
      },
      ({ path: asked, querystring = '' }) => asked === '/_bulk' && querystring.includes('wait_for'),
    )
    expect(bulks).toBeLessThan(15)
    expect(await logs('often', '?pageSize=50')).toHaveLength(31)
    expect((await stored('often'))?.source.pending).toEqual([])
  })

  test('are cleared once they are in the log', async () => {
    await create({ id: 'settled', name: 'One' })
    await service.services.background.settled()
    expect((await stored('settled'))?.source.pending).toEqual([])
  })

  test('are shown and stored later if the log could not be written', async () => {
    const proxy = await startFaultProxy(inject('elasticsearch').node)
    // An hour ahead, so that no other instance considers the entries old.
    let ahead = 3_600_000
    const clock = { now: () => new Date(Date.now() + ahead) }
    const crashing = await startService({ node: proxy.node, clock })
    const other = await newOrganization(crashing)
    await expectOk(other.call('POST /api/Catalog', { body: { name: 'c' } }))
    proxy.set('down', (line) => line.includes('/_bulk'))
    await expectOk(other.call('POST /api/Catalog/c/products', { body: { id: 'left' } }))
    await expectOk(other.call(`PUT ${path('left')}`, { body: { name: 'New' } }))
    await crashing.services.background.settled()
    const items = async () => (await other.call(`GET ${path('left')}/logs`)).body.items
    const waiting = await items()
    expect(waiting).toHaveLength(2)
    const products = productsOf(crashing.services, { owner: other.id, name: 'c', index: null })
    expect((await products.get('left'))?.source.pending).toHaveLength(2)

    proxy.set('none')
    ahead += 60_000
    const flushed = async () => {
      await flushPending(crashing.services)
      return (await products.get('left'))?.source.pending
    }
    await expect.poll(flushed).toEqual([])
    expect(await items()).toEqual(waiting)
    await proxy.close()
  })

  test('are stored by Delete Product; the log outlives the product', async () => {
    await create({ id: 'mortal', name: 'One' })
    await expectOk(call(`DELETE ${path('mortal')}`))
    const log = collection(service.services.elastic, { kind: 'changes', scope: [organization.id] })
    const found = () => log.count({ term: { productId: 'mortal' } })
    await expect.poll(found).toBe(1)
  })
})
