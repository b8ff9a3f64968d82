import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest'
import { limits } from '../../src/limits.ts'
import { PATIENCE } from '../support/annotations.ts'
import { seedCatalog } from '../support/catalog.ts'
import { caller, expectOk, newOrganization, type TestOrganization } from '../support/client.ts'
import { withProductionDeadlines } from '../support/deadlines.ts'
import { startFaultProxy } from '../support/fault-proxy.ts'
import { startService, type TestService } from '../support/service.ts'
import { each, installVendor, startVendor, type TestVendor, toLoopback } from '../support/vendor.ts'

let service: TestService
let vendor: TestVendor
beforeAll(async () => {
  service = await startService({ outbound: toLoopback })
  vendor = await startVendor()
})
afterAll(async () => {
  await vendor.close()
  await service.stop()
})

const offer = (vendorName: string, cost: number) => ({ vendorName, cost, onHand: 1, inStock: true })
const shelf = [1, 2, 3].map((n) => ({
  id: `p${n}`,
  name: `Drill ${n}`,
  manufacturerPartNumber: `M-${n}`,
  vendors: [offer('Oakvale', 10 * n), offer('Tidewell', 10 * n + 5)],
}))

let org: TestOrganization
let catalog: string
beforeEach(async () => {
  org = await newOrganization(service)
  catalog = await seedCatalog(service, org, shelf)
  // Highest price first, so that sorting by the answers would give another order.
  vendor.does(each((id) => ({ cost: 100 - Number(id.slice(1)), onHand: 3 })))
})

const checking = { checkRealtimeSelection: true, sort: 'price' }
const search = async (body: object, { call = org.call, simple = false } = {}) => {
  const line = `POST /api/search${simple ? '/simple' : ''}?catalog=${catalog}`
  return (await expectOk(call(line, { body }))).body
}
const offersIn = (body: { products: { vendors: { cost: number; checkedAt?: string }[] }[] }) =>
  body.products.map(({ vendors }) => vendors.map(({ cost }) => cost))
const isChecked = (body: { products: { vendors: { checkedAt?: string }[] }[] }) =>
  body.products.map(({ vendors }) => vendors.map(({ checkedAt }) => checkedAt !== undefined))
const checkAlways = (on = true) =>
  expectOk(org.call('PUT /api/Catalog', { body: { name: catalog, checkRealtime: on } }))

describe('checkRealtimeSelection', () => {
  test.each([false, true])(
    'returns current offers of the vendors for the page (simple: %s)',
    async (simple) => {
      await installVendor(org, vendor, { vendor: 'Oakvale' })
      const stale = await search({ sort: 'price' }, { simple })
      expect(isChecked(stale).flat()).not.toContain(true)
      const parts = simple ? ['products', 'total'] : ['metadata', 'products', 'took', 'total']
      expect(Object.keys(stale).toSorted()).toEqual(parts)
      const before = Date.now()
      const body = await search({ ...checking, pageSize: 2 }, { simple })
      expect(Object.keys(body).toSorted()).toEqual(parts)
      expect(body.total).toBe(3)
      // Totals and order are those of the index.
      expect(body.products.map(({ id }: { id: string }) => id)).toEqual(['p1', 'p2'])
      expect(offersIn(body)).toEqual([
        [99, 15],
        [98, 25],
      ])
      expect(isChecked(body)).toEqual([
        [true, false],
        [true, false],
      ])
      const { checkedAt, ...shown } = body.products[0].vendors[0]
      expect(Math.abs(Date.parse(checkedAt) - before)).toBeLessThan(30_000)
      expect(shown).toEqual({ ...stale.products[0].vendors[0], cost: 99, onHand: 3 })
      // Only the products on the page were asked about.
      expect(vendor.asked[0]!.request.products.map(({ id }) => id)).toEqual(['p1', 'p2'])
    },
  )

  test('filters by the new prices afterwards', async () => {
    await installVendor(org, vendor, { vendor: 'Oakvale' })
    await search(checking)
    await vi.waitFor(async () => {
      const body = await search({ vendors: ['Oakvale'], sort: 'price' })
      expect(body.products.map(({ id }: { id: string }) => id)).toEqual(['p3', 'p2', 'p1'])
    }, PATIENCE)
  })

  test('shows a vendor without offers in the catalog, stored or not', async () => {
    await installVendor(org, vendor, { vendor: 'Nowhere', noStore: true })
    const body = await search(checking)
    expect(offersIn(body)[0]).toEqual([10, 15, 99])
    expect(offersIn(await search({ sort: 'price' }))[0]).toEqual([10, 15])
  })

  test('calls no vendor for an empty page', async () => {
    await installVendor(org, vendor, { vendor: 'Oakvale' })
    expect((await search({ ...checking, keywords: 'wardrobe' })).products).toEqual([])
    expect(vendor.asked).toEqual([])
  })
})

test('a slow vendor does not delay other searches in the same request', async () => {
  await installVendor(org, vendor, { vendor: 'Oakvale' })
  vendor.does(() => undefined)
  const requests = [{ ...checking }, { keywords: 'dirll' }]
  const line = `POST /api/search/many?catalog=${catalog}`
  const send = () => expectOk(org.call(line, { body: { requests } }))
  const { results } = (await withProductionDeadlines(send)).body
  const shown = results.map(({ status, answer }: { status: number; answer: { total: number } }) => [
    status,
    answer?.total,
  ])
  expect(shown).toEqual([
    [200, 3],
    [200, 3],
  ])
  const [late, other] = results.map(({ answer }: { answer: { took: number } }) => answer.took)
  expect(late - other).toBeGreaterThan(1_000)
})

describe('checkRealtime of a catalog', () => {
  test('shows a search key only the parts of offers that it can see', async () => {
    await installVendor(org, vendor, { vendor: 'Oakvale' })
    await checkAlways()
    const wanted = { keyType: 'search', hide: ['public'] }
    const { key } = (await expectOk(org.call('POST /api/KeyAuth/keys', { body: wanted }))).body
    const call = caller(service, { key })
    await vi.waitFor(async () => {
      const body = await search({}, { call })
      expect(isChecked(body).flat()).toContain(true)
      expect(new Set(offersIn(body).flat())).toEqual(new Set([null]))
    }, PATIENCE)
  })

  test('applies to every search', async () => {
    await installVendor(org, vendor, { vendor: 'Oakvale' })
    await checkAlways()
    await vi.waitFor(
      async () => expect(isChecked(await search({})).flat()).toContain(true),
      PATIENCE,
    )
  })

  test('is required for real-time offers in searches with a search key', async () => {
    await installVendor(org, vendor, { vendor: 'Oakvale' })
    const call = caller(service, { key: await org.key('viewer', 'search') })
    expect(isChecked(await search(checking, { call })).flat()).not.toContain(true)
    expect(vendor.asked).toEqual([])
    await checkAlways()
    await vi.waitFor(async () => {
      expect(isChecked(await search({}, { call })).flat()).toContain(true)
    }, PATIENCE)
    for (let n = 0; n < 5; n++) await search({}, { call })
    expect(vendor.asked).toHaveLength(1)
  })
})

describe('a user’s personal vendor', () => {
  const mine = { extensionLevel: 'user' }

  test('is called for that user, and never for the user’s search keys', async () => {
    await installVendor(org, vendor, { vendor: 'Oakvale', more: mine })
    await checkAlways()
    await vi.waitFor(
      async () => expect(isChecked(await search({})).flat()).toContain(true),
      PATIENCE,
    )
    const call = caller(service, { key: await org.key('administrator', 'search') })
    vendor.does(each({ cost: 1 }))
    const body = await search({ sort: 'price' }, { call })
    expect(offersIn(body)).toEqual([
      [10, 15],
      [20, 25],
      [30, 35],
    ])
    expect(isChecked(body).flat()).not.toContain(true)
    expect(vendor.asked).toEqual([])
  })
})

describe('a search, whatever vendors do,', () => {
  test('responds within its deadline, with stored offers', async () => {
    await installVendor(org, vendor, { vendor: 'Oakvale' })
    vendor.does(() => undefined)
    const body = await withProductionDeadlines(() => search(checking))
    expect(offersIn(body)).toEqual([
      [10, 15],
      [20, 25],
      [30, 35],
    ])
    expect(isChecked(body).flat()).not.toContain(true)
    expect(body.took).toBeGreaterThan(1_500)
  })

  test('takes no place from other searches while it waits', async () => {
    await installVendor(org, vendor, { vendor: 'Oakvale' })
    vendor.does(() => undefined)
    await withProductionDeadlines(async () => {
      const waiting = Array.from({ length: limits.requestPlaces }, () => search(checking))
      await expect.poll(() => vendor.asked.length).toBeGreaterThan(0)
      await setTimeout(300)
      expect((await search({ sort: 'price' })).total).toBe(3)
      await Promise.all(waiting)
    })
  })

  test('succeeds if installations cannot be read', async () => {
    const proxy = await startFaultProxy(inject('elasticsearch').node)
    const through = await startService({ node: proxy.node, outbound: toLoopback })
    const { fetch } = through
    const call = caller({ fetch }, { key: await org.key('viewer'), organization: org.id })
    proxy.set('down', (line) => line.includes('installations'))
    expect((await search(checking, { call })).total).toBe(3)
    proxy.set('none')
    await through.stop()
    await proxy.close()
  })

  test('costs no extra call to Elasticsearch without real time, or if the vendor is paused', async () => {
    const proxy = await startFaultProxy(inject('elasticsearch').node)
    const through = await startService({
      idle: true,
      node: proxy.node,
      outbound: toLoopback,
      answerBytes: 0,
    })
    const call = caller(through, { key: await org.key('viewer'), organization: org.id })
    await installVendor(org, vendor, { vendor: 'Oakvale' })
    const requests = async (body: object) => {
      // What earlier searches refresh in the background is not part of this one.
      await through.services.background.settled()
      proxy.set('none')
      await search(body, { call })
      return proxy.requests().filter((line) => /_search/.test(line)).length
    }
    await search({}, { call })
    expect(await requests({})).toBe(1)
    // The first search reads which vendors are installed, which is then cached for a while.
    vendor.does((_asked, answer) => void answer.writeHead(500).end())
    for (let n = 0; n < 6; n++) await search(checking, { call })
    const asked = vendor.asked.length
    expect(await requests(checking)).toBe(1)
    expect(vendor.asked).toHaveLength(asked)
    await through.stop()
    await proxy.close()
  })
})
