import { beforeAll, describe, expect, test } from 'vitest'
import type { SearchBody } from '../../src/elastic/search.ts'
import { type Sketch, seedCatalog, seedProducts } from '../support/catalog.ts'
import { type Call, caller, expectOk, newOrganization } from '../support/client.ts'
import { isGeneration, type SearchBench, searchBench, searchesSent } from '../support/search.ts'
import { startService, type TestService } from '../support/service.ts'

const MAKERS = ['Acme', 'Bolt', 'Corde']

const shelf = (count: number): Sketch[] =>
  Array.from({ length: count }, (_, at) => ({
    id: `p${String(at).padStart(2, '0')}`,
    name: `Drill ${at}`,
    manufacturer: MAKERS[at % MAKERS.length]!,
    msrp: 100 - at,
    facets: { Colour: at % 2 ? 'Red' : 'Blue' },
  }))

let bench: SearchBench
/** Another instance of the service on the same indices. */
let other: TestService
let key: string
beforeAll(async () => {
  bench = await searchBench(shelf(30))
  key = await bench.org.key('viewer')
  other = await startService()
})

/** Searches for products sent to Elasticsearch, without those for the last write. */
const sent = async (work: () => Promise<unknown>, service = bench.service) =>
  (await searchesSent(service, work)).filter((body) => !isGeneration(body))

/** Calls often enough for the answer to be cached, if it may be. */
async function untilCached<T>(ask: () => Promise<T>): Promise<T> {
  await ask()
  await ask()
  return ask()
}

const untimed = ({ took, ...answer }: { took: number }) => answer

describe('equal searches', () => {
  test('share one or two requests if they are concurrent', async () => {
    const service = await startService({ places: 10_000 })
    const body = { keywords: 'drill', counts: true, pageSize: 7 }
    const answers: unknown[] = []
    const bodies = await sent(async () => {
      const all = Array.from({ length: 200 }, () => searchOf(service, body))
      answers.push(...(await Promise.all(all)).map(untimed))
    }, service)
    expect(bodies.length).toBeGreaterThan(0)
    expect(bodies.length).toBeLessThanOrEqual(2)
    expect(answers).toEqual(Array(200).fill(answers[0]))
    expect(answers[0]).toMatchObject({ total: 30, metadata: { manufacturers: MAKERS } })
  })

  test('are answered from the cache, including their follow-up requests', async () => {
    const body = { keywords: 'drlil', counts: true, group: true, highlight: true }
    const known = untimed(await untilCached(() => bench.search(body)))
    let answer: unknown
    expect(await sent(async () => (answer = untimed(await bench.search(body))))).toEqual([])
    expect(answer).toEqual(known)
    expect(answer).toMatchObject({ total: 30, correctedTo: 'drill' })
  })

  test('in one request are answered from the cache too', async () => {
    const requests = Array(5).fill({ keywords: 'drill', sort: '-name', pageSize: 3 })
    const line = `POST /api/search/many?catalog=${bench.catalog}`
    const ask = async () => (await bench.org.call(line, { body: { requests } })).body.results
    const results = await untilCached(ask)
    expect(results.map(({ status }: { status: number }) => status)).toEqual(Array(5).fill(200))
    // After a single search has been cached, they send nothing.
    const alone = untimed(await untilCached(() => bench.search(requests[0])))
    expect(await sent(ask)).toEqual([])
    for (const { answer } of await ask()) expect(untimed(answer)).toEqual(alone)
  })

  test('are all sent if the cache is turned off', async () => {
    const plain = await startService({ answerBytes: 0 })
    const ask = () => searchOf(plain, { keywords: 'drill' })
    expect(await sent(() => untilCached(ask), plain)).toHaveLength(3)
  })

  test('are cached only some seconds after a write if the index has replicas', async () => {
    const cluster = await startService({ replicas: 1 })
    const ask = () => searchOf(cluster, { keywords: 'drill', sort: '-price' })
    expect(await sent(() => untilCached(ask), cluster)).toHaveLength(3)
    const isKept = async () => (await sent(ask, cluster)).length === 0
    await expect.poll(isKept).toBe(true)
  })

  test('cost credits and are recorded in the history all the same', async () => {
    const metric = async () => {
      const text = await bench.service.services.metrics.text()
      return Number(/searches_charged_total (\d+)/.exec(text)![1])
    }
    const before = await metric()
    await untilCached(() => bench.search({ keywords: 'drill', pageSize: 2 }))
    expect(await metric()).toBe(before + 3)
  })
})

describe('the counts of a search', () => {
  const isCounted = ({ aggs, suggest, track_total_hits: total }: SearchBody) =>
    aggs !== undefined || suggest !== undefined || total !== false

  test('are reused for its other pages and sort orders', async () => {
    const body = { keywords: 'drill', pageSize: 5, counts: true, must: [facet('Colour', 'Red')] }
    const { metadata } = await untilCached(() => bench.search(body))
    const others = [{ page: 1 }, { page: 2 }, { sort: 'price' }, { sort: '-name', page: 1 }]
    for (const one of others) {
      const fresh = await searchOf(other, { ...body, ...one, pageSize: 5 })
      let answer: { total: number; metadata: unknown } | undefined
      const bodies = await sent(async () => {
        answer = await bench.search({ ...body, ...one })
      })
      expect(bodies.filter(isCounted)).toEqual([])
      expect(bodies).toHaveLength(1)
      expect(answer!.metadata).toEqual(metadata)
      expect(untimed(answer as never)).toEqual(untimed(fresh))
    }
  })

  test('are computed again for other words and selections', async () => {
    const body = { keywords: 'drill', pageSize: 5 }
    await untilCached(() => bench.search(body))
    for (const one of [
      { keywords: 'drill 1' },
      { manufacturer: ['Acme'] },
      { counts: true, lowPrice: 3 },
    ]) {
      const [first] = await sent(() => bench.search({ ...body, ...one }))
      expect(isCounted(first!)).toBe(true)
    }
  })
})

/** Rounds of two concurrent writes. */
const WRITES = 12

const facet = (name: string, value: string) => ({ type: 'facet', name, value })

const searchOf = async (service: TestService, body: object) => {
  const call = caller(service, { key, organization: bench.org.id })
  const line = `POST /api/search?catalog=${bench.catalog}`
  return (await expectOk(call(line, { body }))).body
}

describe('a write that searches can see', () => {
  test('appears in the next answer of everything that is cached', async () => {
    const org = await newOrganization(bench.service)
    const catalog = await seedCatalog(bench.service, org, shelf(3))
    const place = { owner: org.id, name: catalog }
    const line = (path: string) => `${path}catalog=${catalog}`
    const search = async () =>
      (await org.call(line('POST /api/search?'), { body: { keywords: 'drill' } })).body
    const metadata = async () => (await org.call(line('GET /api/search/metadata?'))).body
    const quick = async () => (await org.call(line('GET /api/search/quicksearch?search=z&'))).body
    for (const ask of [search, metadata, quick]) await untilCached(ask)
    await seedProducts(bench.service, place, [{ id: 'new', name: 'Drill', manufacturer: 'Zett' }])
    expect((await search()).total).toBe(4)
    expect((await metadata()).manufacturers).toContain('Zett')
    expect((await quick()).manufacturers).toEqual(['Zett'])
    for (const ask of [search, metadata, quick]) await untilCached(ask)
    await seedProducts(bench.service, place, [{ id: 'new', name: 'Drill', manufacturer: 'Zorn' }])
    expect((await search()).metadata.manufacturers).toContain('Zorn')
    expect((await metadata()).manufacturers).not.toContain('Zett')
    expect((await quick()).manufacturers).toEqual(['Zorn'])
    await untilCached(search)
    await expectOk(org.call(`DELETE /api/Catalog/${catalog}/products/new`))
    await bench.service.services.elastic.client.indices.refresh({
      index: bench.service.services.elastic.indexName('products'),
    })
    expect((await search()).total).toBe(3)
  })

  test('does not reappear after its product was created and deleted', async () => {
    const org = await newOrganization(bench.service)
    const catalog = await seedCatalog(bench.service, org, shelf(3))
    const { elastic } = bench.service.services
    const search = async (more: object) => {
      const body = { keywords: 'drill', ...more }
      return (await expectOk(org.call(`POST /api/search?catalog=${catalog}`, { body }))).body
    }
    await untilCached(() => search({}))
    const place = { owner: org.id, name: catalog }
    await seedProducts(bench.service, place, [{ id: 'new', name: 'Drill', manufacturer: 'Zett' }])
    expect((await search({ counts: true })).total).toBe(4)
    await expectOk(org.call(`DELETE /api/Catalog/${catalog}/products/new`))
    await elastic.client.indices.refresh({ index: elastic.indexName('products') })
    const { total, metadata } = await search({ counts: true })
    expect([total, metadata.manufacturers]).toEqual([3, MAKERS])
  })

  test('is never missing on any instance, however many searches run meanwhile', async () => {
    const org = await newOrganization(bench.service)
    const catalog = await seedCatalog(bench.service, org, shelf(20))
    const key = await org.key('viewer')
    /** The last value that was acknowledged and refreshed. */
    let written = 0
    let isWriting = true
    const calls = [bench.service, other].map((service) =>
      caller(service, { key, organization: org.id }),
    )
    const body = { keywords: 'drill', counts: true }
    const reads: ((call: Call) => Promise<Record<string, unknown>>)[] = [
      async (call) =>
        (await expectOk(call(`POST /api/search?catalog=${catalog}`, { body }))).body.metadata
          .facets,
      async (call) =>
        (await expectOk(call(`GET /api/search/metadata?catalog=${catalog}`))).body.facets,
    ]
    let seen = 0
    const reader = async (read: (typeof reads)[number], call: Call) => {
      while (isWriting) {
        const least = written
        const { Step } = (await read(call)) as { Step?: string[] }
        const value = Number(Step?.[0] ?? 0)
        if (value < least) throw new Error(`answered ${value} after ${least} was written`)
        seen++
      }
    }
    const writer = async () => {
      const place = { owner: org.id, name: catalog }
      for (let value = 1; value <= WRITES; value++) {
        const products = shelf(20).map((one) => ({ ...one, facets: { Step: `${value}` } }))
        // Like two concurrent imports.
        await Promise.all([
          seedProducts(bench.service, place, products.slice(10)),
          seedProducts(bench.service, place, products.slice(0, 10)),
        ])
        written = value
        // Let some answers be cached before the next write.
        const enough = seen + 6
        while (isWriting && seen < enough)
          await calls[0]!(`GET /api/search/metadata?catalog=${catalog}`)
      }
    }
    const readers = reads.flatMap((read) => calls.map((call) => reader(read, call)))
    const stop = () => {
      isWriting = false
    }
    await Promise.all([writer().finally(stop), ...readers.map((one) => one.finally(stop))])
    expect(written).toBe(WRITES)
  })
})

describe('an answer cached for one caller', () => {
  test('is not used for an organization with a catalog of the same name, or for keys with other restrictions', async () => {
    const name = `c-${crypto.randomUUID()}`
    const [first, second] = [
      await newOrganization(bench.service),
      await newOrganization(bench.service),
    ]
    await seedCatalog(bench.service, first, shelf(6), name)
    await seedCatalog(
      bench.service,
      second,
      [{ id: 'own', name: 'Drill', manufacturer: 'Own' }],
      name,
    )
    const keyWith = async (settings: object) => {
      const body = { keyType: 'search', ...settings }
      const made = await expectOk(first.call('POST /api/KeyAuth/keys', { body }))
      return caller(bench.service, { key: made.body.key })
    }
    const acme = await keyWith({ filter: { manufacturer: ['Acme'] } })
    const bolt = await keyWith({ filter: { manufacturer: ['Bolt'] } })
    const blind = await keyWith({ hide: ['msrp'] })
    const body = { keywords: 'drill', sort: 'name' }
    const ask = async (call: Call) => {
      const { body: answer } = await expectOk(call(`POST /api/search?catalog=${name}`, { body }))
      const products = answer.products as { id: string; msrp: number | null }[]
      return {
        ids: products.map(({ id }) => id),
        makers: answer.metadata.manufacturers,
        total: answer.total,
        priced: products.some(({ msrp }) => msrp !== null),
      }
    }
    const six = ['p00', 'p01', 'p02', 'p03', 'p04', 'p05']
    const all = [
      [first.call, { ids: six, makers: MAKERS, total: 6, priced: true }],
      [second.call, { ids: ['own'], makers: ['Own'], total: 1, priced: false }],
      [acme, { ids: ['p00', 'p03'], makers: ['Acme'], total: 2, priced: true }],
      [bolt, { ids: ['p01', 'p04'], makers: ['Bolt'], total: 2, priced: true }],
      [blind, { ids: six, makers: MAKERS, total: 6, priced: false }],
    ] as const
    for (let turn = 0; turn < 4; turn++) {
      for (const [call, expected] of all) expect(await ask(call)).toEqual(expected)
    }
  })
})
