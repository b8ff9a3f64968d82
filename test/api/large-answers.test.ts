import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { limits } from '../../src/limits.ts'
import { STEP_MS } from '../../src/platform/in-steps.ts'
import { productsOf } from '../../src/products/product-documents.ts'
import { seedCatalog } from '../support/catalog.ts'
import {
  type Call,
  caller,
  expectOk,
  newOrganization,
  type TestOrganization,
} from '../support/client.ts'
import { counts, importFile } from '../support/imports.ts'
import { mostUnderWay } from '../support/probe.ts'
import { startService, type TestService } from '../support/service.ts'

const COUNT = 18
/** With all of them, the products exceed limits.answerBytes. */
const ATTRIBUTES = 375

const ids = Array.from({ length: COUNT }, (_, at) => `L-${String(at).padStart(2, '0')}`)
const line = 'POST /api/Catalog/large/retrieveProducts'

let service: TestService
let org: TestOrganization
let call: Call
beforeAll(async () => {
  service = await startService()
  org = await newOrganization(service)
  call = org.call
  await expectOk(call('POST /api/Catalog', { body: { name: 'large' } }))
  await fill('large')
})

async function fill(catalog: string) {
  const text = 'x'.repeat(limits.valueLength)
  const attributes = Object.fromEntries(
    Array.from({ length: ATTRIBUTES }, (_, at) => [`a${at}`, text]),
  )
  for (let at = 0; at < COUNT; at += 4) {
    await Promise.all(
      ids.slice(at, at + 4).map((id) => {
        const body = { id, name: `large ${id}`, attributes }
        return expectOk(call(`POST /api/Catalog/${catalog}/products`, { body }))
      }),
    )
  }
}

const found = async (pageSize: number, page = 0) => {
  const body = { keywords: 'large', sort: 'name', pageSize, page }
  return call('POST /api/search/simple?catalog=large', { body })
}
const idsOf = (products: { id: string }[]) => products.map(({ id }) => id)

describe('large products', () => {
  test('are read in the requested order, without missing ones', async () => {
    const wanted = [ids[16]!, 'L-none', ids[3]!, ...ids.slice(6, 12)]
    const { body } = await expectOk(call(line, { body: { ids: wanted } }))
    expect(idsOf(body)).toEqual(wanted.filter((id) => id !== 'L-none'))
    expect(Object.keys(body[0].attributes)).toHaveLength(ATTRIBUTES)
  })

  test('are refused with advice if they are too many for an answer', async () => {
    const { status, body } = await call(line, { body: { ids } })
    expect(status).toBe(400)
    expect(body.message).toContain(`larger than ${limits.answerBytes} bytes. Request fewer`)
    const page = await expectPage(COUNT)
    expect(page.status).toBe(400)
    expect(page.body.message).toContain('pageSize')
  })

  test('are found page by page as small ones are', async () => {
    await expectPage(8)
    const pages = [await found(8), await found(8, 1), await found(8, 2)]
    expect(pages.flatMap(({ body }) => idsOf(body.products))).toEqual(ids)
    expect(pages.map(({ body }) => body.total)).toEqual([COUNT, COUNT, COUNT])
    const [first] = pages[0]!.body.products
    expect(first.name).toBe('large L-00')
  })

  const rejected = { settings: { updateMetadata: false }, expected: { rejected: 1_000 } }
  test.each([
    { name: 'changed', column: 'msrp', settings: {}, expected: { updated: 1_000 } },
    { name: 'read for nothing', column: '_delete', ...rejected },
  ])('are $name by small rows in batches that let others have their places', async (of) => {
    // Each request between which a batch may pause takes long.
    const { restMs } = limits
    onTestFinished(() => void Object.assign(limits, { restMs }))
    Object.assign(limits, { restMs: 1 })
    // Places for one batch at a time. The second batch has the products of the first.
    const narrow = await startService({ places: 10 })
    const by = caller(narrow, { key: await org.key('administrator'), organization: org.id })
    const entered = vi.spyOn(narrow.services.requests, 'enter')
    const value = (at: number) => (of.column === 'msrp' ? at : 'yes')
    const rows = Array.from({ length: 1_000 }, (_, at) => `${ids[at % COUNT]},${value(at)}`)
    const task = await importFile(by, [`id,${of.column}`, ...rows].join('\n'), {
      ...{ targetCatalog: 'large', ...of.settings },
    })
    expect(counts(task)).toMatchObject({ processed: 1_000, ...of.expected })
    const { length } = entered.mock.calls.filter(([who]) => who.startsWith('imports'))
    expect(length).toBeGreaterThan(3)
  })

  test('are read one at a time, also one by one', async () => {
    const read = (id: string) => expectOk(call(`GET /api/Catalog/large/products/${id}`))
    await read(ids[0]!)
    const most = await mostUnderWay(
      service,
      () => Promise.all(ids.slice(0, 6).map(read)),
      ({ path }) => path.includes('products/_doc'),
    )
    expect(most).toBe(1)
  })

  test('do not prevent a list of workspaces: those that no longer fit come without items', async () => {
    const add = async (workspace: string, added: readonly string[]) => {
      await expectOk(call('POST /api/workspaces', { body: { name: workspace } }))
      const items = added.map((productId) => ({ catalog: 'large', productId }))
      await expectOk(call(`POST /api/workspaces/${workspace}/items`, { body: { items } }))
    }
    await add('first', ids.slice(0, 8))
    await add('second', ids.slice(8))
    const { workspaces } = (await expectOk(call('GET /api/workspaces'))).body
    expect(workspaces[0]).toMatchObject({ name: 'first', totals: { items: 8 } })
    expect(
      workspaces[0].products.map((one: { productId: string }) => one.productId).sort(),
    ).toEqual(ids.slice(0, 8))
    expect(workspaces[1]).toMatchObject({ name: 'second', totals: { items: 10 }, products: [] })
  })

  test('do not prevent recommendations, which need only their names', async () => {
    const { call: buyer } = await newOrganization(service, org.id)
    const halves = [ids.slice(0, 9), ids.slice(9)]
    for (const [at, productIds] of [...halves, ...halves].entries()) {
      const workspace = `w${at}`
      await expectOk(buyer('POST /api/workspaces', { body: { name: workspace } }))
      const items = productIds.map((productId) => ({ catalog: 'large', productId }))
      await expectOk(buyer(`POST /api/workspaces/${workspace}/items`, { body: { items } }))
    }
    const recommended = async (asked: readonly string[]) => {
      const products = asked.map((id) => ({ catalog: 'large', id }))
      const run = 'POST /api/extensions/recommendation/together/run'
      const { body } = await expectOk(buyer(run, { body: { products } }))
      return body
    }
    const { products, possibleProducts } = await recommended(ids.slice(0, 4))
    expect(products.toSorted()).toEqual(ids.slice(4, 9))
    expect(possibleProducts).toHaveLength(4 * limits.recommendedProducts)
    expect(possibleProducts[0].name).toMatch(/^large L-0[4-8]$/)
    expect((await recommended(ids)).products).toEqual([])
  })

  test('are limited in total across the searches of one request', async () => {
    await expectPage(1)
    const search = { keywords: 'large', sort: 'name', pageSize: 2 }
    const line = 'POST /api/search/many?catalog=large'
    const ask = (count: number) =>
      expectOk(call(line, { body: { requests: Array(count).fill(search) } }))
    // Often enough for the answer to be cached.
    for (let times = 0; times < 3; times++) await ask(1)
    const { body } = await ask(12)
    const statuses: number[] = body.results.map(({ status }: { status: number }) => status)
    expect(statuses.slice(0, 4)).toEqual([200, 200, 200, 200])
    expect(statuses.at(-1)).toBe(400)
    expect(JSON.stringify(body).length).toBeLessThan(limits.answerBytes * 1.1)
  })

  test('are limited even if only small ones were read before', async () => {
    await expectOk(call('POST /api/Catalog', { body: { name: 'mixed' } }))
    const small = { id: 'S-1', name: 'tiny' }
    await expectOk(call('POST /api/Catalog/mixed/products', { body: small }))
    const searched = (keywords: string, pageSize: number) =>
      call('POST /api/search/simple?catalog=mixed', { body: { keywords, pageSize } })
    while ((await searched('tiny', COUNT)).body.total === 0);
    await fill('mixed')
    while ((await searched('large', 1)).body.total < COUNT);
    expect((await searched('large', COUNT)).status).toBe(400)
    expect((await searched('large', 8)).body.products).toHaveLength(8)
  })
})

test('products with large annotations are changed one after the other', async () => {
  const value = 'x'.repeat(limits.valueLength)
  const extensionFields = Array.from({ length: 30 }, (_, at) => ({
    ...{ extensionId: 'erp', key: `k${at}`, value },
  }))
  const added = Object.fromEntries([1, 2, 3, 4, 5].map((at) => [`c-${at}`, { extensionFields }]))
  const noted = ['n1', 'n2', 'n3', 'n4']
  const products = noted.map((id) => ({ id, annotations: added }))
  const name = await seedCatalog(service, org, products)
  const { documentId } = productsOf(service.services, { owner: org.id, name, index: null })
  const documents = noted.map((id) => documentId(id))
  const most = await mostUnderWay(
    service,
    () =>
      Promise.all(
        noted.map((id) =>
          expectOk(call(`PUT /api/Catalog/${name}/products/${id}`, { body: { msrp: 5 } })),
        ),
      ),
    // Excludes writes that clear log entries after the answer.
    ({ path, body }) =>
      documents.some((one) => path.includes(one)) &&
      /pending\\?":\[\{/.test(JSON.stringify(body ?? '')),
  )
  expect(most).toBe(1)
})

describe('long names of categories', () => {
  test('are counted only up to a limit, and searches without counts succeed', async () => {
    const count = 3_600
    const products = Array.from({ length: count }, (_, at) => {
      const name = `${at}`.padEnd(limits.nameLength, '漢')
      return { id: `${at}`, segment: name, category: name, subCategory: name }
    })
    const catalog = await seedCatalog(service, org, products)
    const search = (body: object) => call(`POST /api/search?catalog=${catalog}`, { body })
    const message = expect.stringContaining(`larger than ${limits.countedBytes} bytes`)
    expect(await search({})).toMatchObject({ status: 400, body: { message } })
    expect(await search({ pageSize: 0 })).toMatchObject({ status: 400, body: { message } })
    const metadata = await call(`GET /api/search/metadata?catalog=${catalog}`)
    expect(metadata).toMatchObject({ status: 400, body: { message } })
    expect((await expectOk(search({ includeMetadata: false }))).body.total).toBe(count)
    const facetSearches = await mostUnderWay(
      service,
      () => Promise.all([1, 2, 3, 4].map(() => search({}))),
      ({ path, body }) => path.includes('products/_search') && `${body}`.includes('"facetNames"'),
    )
    expect(facetSearches).toBe(1)
    const { body } = await expectOk(search({ must: [{ type: 'manufacturer', value: 'none' }] }))
    expect(body.metadata.segments).toEqual({})
  })
})

test('counts, and trees made of them, are limited in total across the searches of one request', async () => {
  const products = Array.from({ length: 1_100 }, (_, at) => {
    const name = `${at}`.padEnd(limits.nameLength, 'x')
    return { id: `${at}`, segment: name, category: name, subCategory: name }
  })
  const catalog = await seedCatalog(service, org, products)
  const answered = async (search: object) => {
    const line = `POST /api/search/many?catalog=${catalog}`
    const requests = Array(limits.searchesTogether).fill({ pageSize: 0, ...search })
    const { results } = (await expectOk(call(line, { body: { requests } }))).body
    expect(JSON.stringify(results).length).toBeLessThan(limits.answerBytes * 1.1)
    const refused = results.filter(({ status }: { status: number }) => status !== 200)
    const refusal = { status: 400, error: expect.stringContaining('Send fewer searches at once') }
    for (const result of refused) expect(result).toMatchObject(refusal)
    return results.length - refused.length
  }
  // The second time they are cached.
  expect([await answered({}), await answered({})]).toEqual([17, 17])
  const withTree = await answered({ facets: { tree: true } })
  expect(withTree).toBeGreaterThan(2)
  expect(withTree).toBeLessThan(7)
})

/** Searches see a write within a second. */
async function expectPage(pageSize: number) {
  for (;;) {
    const { body } = await call('POST /api/search/count?catalog=large', { body: {} })
    if (body.count === COUNT) return found(pageSize)
  }
}

test('products of an answer are made compact in steps, each at the charge of the caller', async () => {
  const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`n${at}`, 'x']))
  const products = Array.from({ length: 80 }, (_, at) => ({ id: `W-${at}`, attributes: many }))
  const wide = products.map((product) => ({ ...product, name: 'wide', facets: many }))
  const catalog = await seedCatalog(service, org, wide)
  const charged = vi.spyOn(service.services.requests, 'charge')
  // Each product takes a step, however fast the machine is.
  const now = performance.now.bind(performance)
  let passed = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => {
    passed += STEP_MS
    return now() + passed
  })
  onTestFinished(() => {
    charged.mockRestore()
    // It does not go back.
    clock.mockImplementation(() => now() + passed)
  })
  const charges = async (line: string, body: object) => {
    charged.mockClear()
    await expectOk(call(line, { body }))
    return charged.mock.calls.length
  }
  for (const [steps, path, body] of [
    [2, `/api/Catalog/${catalog}/retrieveProducts`, { ids: wide.map(({ id }) => id) }],
    [
      1,
      `/api/search?catalog=${catalog}`,
      { keywords: 'wide', pageSize: 80, includeMetadata: false },
    ],
  ] as const) {
    const least = steps * wide.length
    expect(await charges(`POST ${path}`, { ...body, compact: true })).toBeGreaterThan(least)
  }
})

describe('request bodies', () => {
  const size = limits.bodyBytes - 100

  /** A body of unknown length that does not end before `end` is called. */
  async function endless() {
    const headers = {
      'x-api-version': '6.0',
      'content-type': 'application/json',
      authorization: `Bearer ${await org.key('editor')}`,
    }
    const ends: (() => void)[] = []
    const send = () => {
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          controller.enqueue(Buffer.from(`{"ids": ["${'x'.repeat(size)}`))
          ends.push(() => {
            controller.enqueue(Buffer.from('"]}'))
            controller.close()
          })
        },
      })
      const parts: RequestInit = { method: 'POST', headers, body, duplex: 'half' }
      return service.fetch(
        new Request(`http://localhost/api/Catalog/large/retrieveProducts`, parts),
      )
    }
    const many = Array.from(
      { length: Math.floor(limits.organizationBodyBytes / size) + 1 },
      () => send,
    )
    const end = () => {
      for (const one of ends) one()
    }
    return { many, end }
  }

  test('of one organization are limited in total, without affecting others', async () => {
    const other = await newOrganization(service)
    const { many, end } = await endless()
    const coming = many.map((send) => send())
    const first = await Promise.race(coming)
    expect(first.status).toBe(429)
    expect(await first.text()).toContain('bytes of request bodies at once')
    expect((await other.call('GET /api/Catalog')).status).toBe(200)
    expect((await call(line, { body: { ids: ['L-none'] } })).status).toBe(200)
    end()
    const answers = await Promise.all(coming)
    expect(answers.map(({ status }) => status).toSorted()).toEqual([
      ...Array(many.length - 1).fill(400),
      429,
    ])
    const ids = ['y'.repeat(limits.smallBodyBytes)]
    expect((await call(line, { body: { ids } })).status).toBe(400)
  })

  test('above a limit in total wait for their turn', async () => {
    const entered = vi.spyOn(service.services.bodies, 'enter')
    const { many, end } = await endless()
    const coming = many.map((send) => send())
    await expect.poll(() => entered.mock.calls.length).toBe(many.length)
    end()
    const answers = await Promise.all(coming)
    expect(answers.map(({ status }) => status)).toEqual(many.map(() => 400))
    entered.mockRestore()
  })
})
