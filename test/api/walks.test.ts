import { afterEach, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { limits } from '../../src/limits.ts'
import { productsOf } from '../../src/products/product-documents.ts'
import { seedCatalog, seedProducts } from '../support/catalog.ts'
import { type Answer, caller, newOrganization, type TestOrganization } from '../support/client.ts'
import { openCursor, sealCursor } from '../support/cursors.ts'
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts'
import { type SearchBench, searchBench } from '../support/search.ts'
import { startService, type TestService } from '../support/service.ts'

/** Products with equal scores, so that only ids order them. */
const PRODUCTS = Array.from({ length: 60 }, (_, at) => ({ id: `p${at}`, name: 'Black toner' }))
const IDS = PRODUCTS.map(({ id }) => id).toSorted()

let bench: SearchBench
let other: TestOrganization
let otherCatalog: string
beforeAll(async () => {
  bench = await searchBench(PRODUCTS)
  other = await newOrganization(bench.service)
  otherCatalog = await seedCatalog(bench.service, other, PRODUCTS)
})

let written = 0
/** Writes products of another organization, which change scores. */
async function othersWrite() {
  const scope = { owner: other.id, name: otherCatalog }
  const name = written % 2 ? 'Toner' : 'A long name of a thing that is none of it'
  await seedProducts(bench.service, scope, [{ id: `w${written++}`, name }])
}

interface Page {
  products: { id: string }[]
  total: number
  cursor?: string
}

const pageOf = (cursor: string, body: object = {}): Promise<Page> =>
  bench.search({ keywords: 'toner', includeMetadata: false, pageSize: 7, ...body, cursor })

/** Ids in the order of a walk; `between` runs before each page except the first. */
async function walk(between: () => unknown, body: object = {}): Promise<string[]> {
  const ids: string[] = []
  for (let cursor: string | undefined = '*'; cursor; ) {
    const page: Page = await pageOf(cursor, body)
    ids.push(...page.products.map(({ id }) => id))
    cursor = page.cursor
    if (cursor) await between()
  }
  return ids
}

/** Records the points in time that this service opens and closes in Elasticsearch. */
function pointsInTime() {
  const { diagnostic } = bench.service.services.elastic.client
  const opened: string[] = []
  const closed: string[] = []
  const note = (
    error: unknown,
    result: {
      body?: { id?: string }
      meta: { request: { params: { path: string; method: string; body?: unknown } } }
    } | null,
  ) => {
    const { path = '', method, body } = result?.meta.request.params ?? {}
    if (error || !path.endsWith('/_pit')) return
    if (method === 'POST') opened.push(result!.body!.id!)
    else closed.push(JSON.parse(String(body)).id)
  }
  diagnostic.on('response', note as never)
  onTestFinished(() => void diagnostic.off('response', note as never))
  return { opened, closed }
}

const partsOf = (cursor: string): unknown[] => openCursor(bench, cursor)

/** A cursor whose last part, the token of the walk, is replaced. */
const withWalk = (cursor: string, ...walk: unknown[]): string =>
  sealCursor(bench, [...partsOf(cursor).slice(0, 4), ...walk])

test('a cursor can be read only by the service', async () => {
  const { cursor } = await pageOf('*')
  const read = cursor!.split('.').map((part) => Buffer.from(part, 'base64url').toString('latin1'))
  expect(read.join()).not.toContain('strict')
  const at = cursor!.length - 9
  const other = cursor!.slice(0, at) + (cursor![at] === 'A' ? 'B' : 'A') + cursor!.slice(at + 1)
  const { status, body } = await bench.at('POST', '', { keywords: 'toner', cursor: other })
  expect([status, body.message]).toEqual([400, 'cursor: not valid; start with "*"'])
})

describe('a walk by relevance', () => {
  test('returns each product once while others write', async () => {
    expect((await walk(othersWrite)).toSorted()).toEqual(IDS)
  })

  test.each([{ keywords: 'tonner' }, { includeMetadata: true, highlight: true }])(
    'does so with %j too',
    async (body) => {
      expect((await walk(othersWrite, body)).toSorted()).toEqual(IDS)
    },
  )

  test('keeps the time of its first page', async () => {
    const name = await seedCatalog(bench.service, bench.org, PRODUCTS)
    const page = async (cursor: string): Promise<Page> => {
      const body = { keywords: 'toner', pageSize: 50, cursor }
      return (await bench.org.call(`POST /api/search/simple?catalog=${name}`, { body })).body
    }
    const first = await page('*')
    const added = [{ id: 'new', name: 'Black toner' }]
    await seedProducts(bench.service, { owner: bench.org.id, name }, added)
    const second = await page(first.cursor!)
    expect([second.total, second.products.length]).toEqual([60, 10])
    expect((await page('*')).total).toBe(61)
  })

  test('closes its point in time at its end', async () => {
    const { opened, closed } = pointsInTime()
    await walk(() => undefined)
    await walk(() => undefined, { pageSize: 250 })
    expect(opened).toHaveLength(2)
    // Points in time of earlier walks may be closed only now.
    await expect.poll(() => closed).toEqual(expect.arrayContaining(opened))
  })

  test('continues if its point in time has expired', async () => {
    const { opened } = pointsInTime()
    const lose = () =>
      Promise.all(
        opened
          .splice(0)
          .map((id) => bench.service.services.elastic.client.closePointInTime({ id })),
      )
    expect((await walk(lose)).toSorted()).toEqual(IDS)
  })

  test('continues if there is no room for a point in time, and only then', async () => {
    const org = await newOrganization(bench.service)
    const catalog = await seedCatalog(bench.service, org, PRODUCTS)
    const { opened } = pointsInTime()
    const begin = async (call = org.call) => {
      const body = { keywords: 'toner', pageSize: 30, cursor: '*' }
      return (await call(`POST /api/search/simple?catalog=${catalog}`, { body })).body
    }
    const walks: Page[] = []
    for (let at = 0; at < limits.organizationWalks + 2; at++) walks.push(await begin())
    const child = await newOrganization(bench.service, org.id)
    await begin(child.call)
    expect(opened).toHaveLength(limits.organizationWalks)
    for (const { products, cursor } of walks) {
      const body = { keywords: 'toner', pageSize: 30, cursor }
      const answer = await org.call(`POST /api/search/simple?catalog=${catalog}`, { body })
      const ids = [...products, ...answer.body.products].map(({ id }) => id)
      expect([answer.status, ids.toSorted(), answer.body.cursor]).toEqual([200, IDS, undefined])
    }
    // All walks have ended, so there is room again.
    await bench.service.services.background.settled()
    await begin()
    expect(opened).toHaveLength(limits.organizationWalks + 1)
  })

  test.each([{ sort: 'price' }, { keywords: 'toner', sort: 'name' }, {}, { sort: 'favorite' }])(
    'alone needs a point in time, unlike %j',
    async (body) => {
      const { opened } = pointsInTime()
      await bench.search({ includeMetadata: false, pageSize: 7, ...body, cursor: '*' })
      expect(opened).toEqual([])
    },
  )
})

describe('if Elasticsearch refuses', () => {
  let proxy: FaultProxy
  let service: TestService
  let later = 0
  let page: (cursor: string) => Promise<Answer>
  beforeAll(async () => {
    proxy = await startFaultProxy(inject('elasticsearch').node)
    const clock = { now: () => new Date(Date.now() + later) }
    service = await startService({ node: proxy.node, clock })
    const key = await bench.org.key('viewer')
    const call = caller(service, { key, organization: bench.org.id })
    page = (cursor) =>
      call(`POST /api/search/simple?catalog=${bench.catalog}`, {
        body: { keywords: 'toner', pageSize: 30, cursor },
      })
    expect((await page('*')).status).toBe(200)
    return () => proxy.close()
  })
  afterEach(async () => {
    await service.services.background.settled()
    proxy.set('none')
    later = 0
  })

  const searchedThere = (line: string) => line.startsWith('POST /_search?')
  const pits = () =>
    proxy
      .requests()
      .filter((line) => line.includes('/_pit'))
      .map((line) => line.split(' ')[0])
  const ids = ({ body }: Answer) => body.products.map(({ id }: { id: string }) => id)

  test('to open a point in time, a walk continues', async () => {
    proxy.set('down', (line) => line.includes('/_pit'))
    const first = await page('*')
    const second = await page(first.body.cursor)
    expect([...ids(first), ...ids(second)].toSorted()).toEqual(IDS)
  })

  test('to search in it, a walk continues too', async () => {
    const first = await page('*')
    proxy.set('down', searchedThere)
    const second = await page(first.body.cursor)
    expect([...ids(first), ...ids(second)].toSorted()).toEqual(IDS)
  })

  test('nothing, a walk can stay at its first page for an hour', async () => {
    const first = await page('*')
    const searches = async (ms: number) => {
      later = ms
      proxy.set('none')
      const second = await page(first.body.cursor)
      expect([...ids(first), ...ids(second)].toSorted()).toEqual(IDS)
      return proxy.requests().filter(searchedThere).length
    }
    expect(await searches(limits.walkLongestMs + 60_000)).toBe(0)
    expect(await searches(limits.walkLongestMs - 60_000)).toBe(1)
  })

  test('the first page, its point in time is closed', async () => {
    proxy.set('busy', searchedThere)
    expect((await page('*')).status).toBe(503)
    await expect.poll(pits).toEqual(['POST', 'DELETE'])
  })

  test('a later page temporarily, the walk continues where it was', async () => {
    const first = await page('*')
    proxy.set('busy', searchedThere)
    expect((await page(first.body.cursor)).status).toBe(503)
    expect(pits()).toEqual([])
    proxy.set('none')
    const second = await page(first.body.cursor)
    expect([...ids(first), ...ids(second)].toSorted()).toEqual(IDS)
    expect(proxy.requests().filter(searchedThere)).toHaveLength(1)
  })
})

describe('a point in time', () => {
  const others = async (): Promise<Page> => {
    const body = { keywords: 'toner', pageSize: 7, cursor: '*' }
    return (await other.call(`POST /api/search/simple?catalog=${otherCatalog}`, { body })).body
  }

  test('of another organization is useless in a cursor', async () => {
    const foreign = await others()
    const refused = await bench.at('POST', '', { keywords: 'toner', cursor: foreign.cursor })
    expect([refused.status, refused.body.message]).toEqual([
      400,
      'cursor: not valid; start with "*"',
    ])
    const { opened } = pointsInTime()
    const [mine] = [await pageOf('*')]
    const expected = (await pageOf(mine.cursor!)).products
    const { elastic } = bench.service.services
    const raw = await elastic.client.openPointInTime({
      index: elastic.indexName('keys'),
      keep_alive: '1m',
    })
    const invented = [
      foreign.cursor,
      raw.id,
      opened[0],
      JSON.stringify(['x', raw.id]),
      '',
      'v1.aaaaaaaa.aaaaaaaaaaaaaaaa.aaaaaaaaaaaaaaaaaaaaaaaaaaaa',
    ]
    for (const walk of invented) {
      const { status, body } = await bench.at('POST', '', {
        keywords: 'toner',
        pageSize: 7,
        includeMetadata: false,
        cursor: withWalk(mine.cursor!, walk),
      })
      expect([status, body.products]).toEqual([200, expected])
      // No walk is recorded if no point in time was opened.
      expect(partsOf(body.cursor)).toHaveLength(4)
    }
    const malformed = withWalk(mine.cursor!, 5)
    expect((await bench.at('POST', '', { keywords: 'toner', cursor: malformed })).status).toBe(400)
  })

  test('shows the documents of the scope that searches in it, whoever opened it', async () => {
    const { services } = bench.service
    const theirs = productsOf(services, { owner: other.id, name: otherCatalog, index: null })
    const mine = productsOf(services, { owner: bench.org.id, name: bench.catalog, index: null })
    const pointInTime = await theirs.openPointInTime(60_000)
    const body = { size: 100, query: { match_all: {} } }
    const { hits, pit_id } = await mine.search(body, { pointInTime })
    expect(pit_id).toBeDefined()
    expect(hits.hits.map(({ _source }) => _source!.product.catalog)).toEqual(
      IDS.map(() => bench.catalog),
    )
    await theirs.closePointInTime(pointInTime)
    await theirs.closePointInTime(pointInTime)
    const after = await mine.search(body, { pointInTime })
    expect([after.pit_id, after.hits.hits.length]).toEqual([undefined, 60])
  })
})
