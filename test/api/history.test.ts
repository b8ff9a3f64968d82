import { beforeAll, describe, expect, inject, test } from 'vitest'
import { collection } from '../../src/elastic/collection.ts'
import { deferWrites } from '../../src/elastic/deferred-writes.ts'
import { monthlyKind } from '../../src/elastic/monthly-names.ts'
import { limits } from '../../src/limits.ts'
import { type Call, caller, newOrganization } from '../support/client.ts'
import { startFaultProxy } from '../support/fault-proxy.ts'
import { roundTrips } from '../support/probe.ts'
import { type SearchBench, searchBench } from '../support/search.ts'
import { startService } from '../support/service.ts'

/** As long as search/history.ts collects entries for one write. */
const GATHER_MS = 200

let bench: SearchBench
beforeAll(async () => {
  bench = await searchBench([{ id: '1', name: 'Desk' }])
})

const line = (path = '') => `POST /api/search${path}?catalog=${bench.catalog}`

/** The history of a caller, once it has this many entries. */
async function history(call: Call, length: number, query = '') {
  const read = async () => (await call(`GET /api/search/history${query}`)).body.items
  await expect.poll(async () => (await read()).length).toBe(length)
  return read()
}

const nothing = {
  keywords: null,
  page: 0,
  pageSize: 25,
  inStock: false,
  lowPrice: null,
  highPrice: null,
  manufacturer: [],
  vendors: [],
  must: [],
  boost: [],
  exclude: [],
  segment: null,
  category: null,
  subCategory: null,
  checkRealtimeSelection: false,
  includeMetadata: true,
  filters: [],
}

describe('Search History', () => {
  test('records the request of each first page, newest first', async () => {
    const call = await bench.org.as('editor')
    await call(line(), { body: { keywords: 'desk' } })
    await call(line(), { body: { keywords: 'desk', page: 1 } })
    const { body: page } = await call(line('/simple'), {
      body: { cursor: '*', pageSize: 1, sort: 'name' },
    })
    expect(page.total).toBe(1)
    const request = {
      inStock: true,
      lowPrice: 1,
      must: [{ type: 'facet', name: 'n', value: 'v' }],
      filters: [{ name: 'w', min: 2 }],
      manufacturer: ['HP'],
      highlight: true,
      counts: true,
      facetSearch: { name: 'n', text: 'x' },
    }
    await call(line(), { body: request })
    const items = await history(call, 3)
    const about = { catalog: bench.catalog, username: 'editor', time: expect.any(String) }
    expect(items).toEqual([
      {
        ...nothing,
        ...request,
        filters: [{ name: 'w', min: 2, max: null }],
        facetSearch: { name: 'n', text: 'x', type: 'facet' },
        ...about,
      },
      { ...nothing, pageSize: 1, cursor: '*', sort: 'name', ...about },
      { ...nothing, keywords: 'desk', ...about },
    ])
    const times = items.map(({ time }: { time: string }) => time)
    expect(times).toEqual(times.toSorted().toReversed())
  })

  test.each(['1.0', '6.0'])('shows requests that can be sent again (%s)', async (version) => {
    const call = await bench.org.as('editor')
    const { body } = await call('GET /api/search/history', { version })
    for (const { catalog: _, username: __, time: ___, ...request } of body.items) {
      expect((await call(line('/count'), { version, body: request })).status).toBe(200)
    }
  })

  test('is the caller’s own, in the organization in effect', async () => {
    const viewer = await bench.org.as('viewer')
    const key = await bench.org.key('viewer', 'search')
    await caller(bench.service, { key })(line(), { body: { keywords: 'by key' } })
    const stranger = await newOrganization(bench.service)
    const [item] = await history(viewer, 1)
    expect([item.keywords, item.username]).toEqual(['by key', 'viewer'])
    expect((await (await stranger.as('viewer'))('GET /api/search/history')).body.items).toEqual([])
  })

  test('refuses a page of very large searches, and says so', async () => {
    const call = await (await newOrganization(bench.service, bench.org.id)).as('viewer')
    const exclude = Array.from({ length: limits.criteria }, (_, at) => ({
      type: 'facet',
      name: `${at}`.padEnd(limits.nameLength, 'n'),
      value: 'v'.repeat(240),
    }))
    const fitting = Math.floor(limits.historyBytes / JSON.stringify(exclude).length) - 1
    for (let at = 0; at < fitting + 2; at++) {
      expect((await call(line(), { body: { exclude } })).status).toBe(200)
    }
    const page = (size: number) => call(`GET /api/search/history?pageSize=${size}`)
    await expect.poll(async () => (await page(fitting + 2)).status).toBe(400)
    expect((await page(fitting)).status).toBe(200)
    expect(await page(fitting + 2)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining(`larger than ${limits.historyBytes} bytes`) },
    })
  })

  test('is paged', async () => {
    const call = await (await newOrganization(bench.service, bench.org.id)).as('viewer')
    for (let at = 0; at < 5; at++) await call(line(), { body: { keywords: `w${at}` } })
    await history(call, 5)
    const page = async (query: string) =>
      (await call(`GET /api/search/history?${query}`)).body.items.map(
        ({ keywords }: { keywords: string }) => keywords,
      )
    expect(await page('pageSize=2')).toEqual(['w4', 'w3'])
    expect(await page('page=2&pageSize=2')).toEqual(['w0'])
    const { status, body } = await call('GET /api/search/history?page=400&pageSize=25')
    expect([status, body.message]).toEqual([
      400,
      'page: the history has only the newest 10000 searches',
    ])
    expect((await call('GET /api/search/history?page=-1')).status).toBe(400)
  })

  test('shows only the newest search for each text on request', async () => {
    const call = await (await newOrganization(bench.service, bench.org.id)).as('viewer')
    for (const keywords of ['drill', 'Saw', undefined, ' DRILL', 'saw', 'hammer']) {
      await call(line(), { body: { ...(keywords && { keywords }), visitor: 'x', analytics: true } })
    }
    await history(call, 6)
    const recent = await history(call, 3, '?distinct=true')
    const words = ({ keywords }: { keywords: string }) => keywords
    expect(recent.map(words)).toEqual(['hammer', 'saw', 'DRILL'])
    expect(Object.keys(recent[0])).toEqual(expect.not.arrayContaining(['visitor', 'analytics']))
    expect((await history(call, 1, '?distinct=true&page=1&pageSize=2')).map(words)).toEqual([
      'DRILL',
    ])
  })

  test('costs few writes for many searches, and loses none', async () => {
    const call = await (await newOrganization(bench.service, bench.org.id)).as('viewer')
    const count = 30
    let began = 0
    let answered = 0
    const writes = await roundTrips(
      bench.service,
      async () => {
        began = performance.now()
        const ask = (at: number) => call(line('/simple'), { body: { keywords: `many ${at}` } })
        const answers = await Promise.all(Array.from({ length: count }, (_, at) => ask(at)))
        // A busy machine refuses some with 429.
        answered = answers.filter(({ status }) => status === 200).length
        await bench.service.services.background.settled()
      },
      ({ path }) => path === '/_bulk',
    )
    // One write per interval, however long the searches take on this machine.
    const gathered = 1 + Math.ceil((performance.now() - began) / GATHER_MS)
    expect(writes).toBeLessThanOrEqual(Math.min(gathered, count - 1))
    await history(call, answered, '?pageSize=250')
  })

  test('keeps one organization’s buffer from filling that of another', async () => {
    const { services } = bench.service
    const [flooding, other] = await Promise.all([
      newOrganization(bench.service),
      newOrganization(bench.service),
    ])
    const now = new Date()
    const write = ({ id: scope }: { id: string }, id: string, keywords: string) => {
      const kind = monthlyKind('history', now)
      const history = collection(services.elastic, { kind, scope: [scope], monthly: true })
      const about = { username: 'administrator', catalog: 'c', time: now.toISOString() }
      const item = history.bulkItem(id, { id, ...about, request: { ...nothing, keywords } })
      deferWrites({ ...services, organization: { id: scope, parent: null } }, 'a flood', [item])
    }
    const long = 'x'.repeat(60_000)
    for (let bytes = 0; bytes < 2 * limits.lateWriteBytes; bytes += long.length) {
      write(flooding, `${bytes}`, long)
    }
    write(other, 'kept', 'kept')
    expect((await history(other.call, 1))[0].keywords).toBe('kept')
  })

  test('does not record refused searches', async () => {
    const call = await (await newOrganization(bench.service, bench.org.id)).as('viewer')
    await call(line(), { body: { keywords: 'refused', pageSize: 251 } })
    await call('POST /api/search?catalog=unknown', { body: { keywords: 'refused' } })
    await call(line(), { body: { keywords: 'kept' } })
    expect((await history(call, 1))[0].keywords).toBe('kept')
  })

  test.concurrent.for(['refuse', 'hang', 'busy'] as const)(
    'never delays or fails a search (writes: %s)',
    async (fault, { expect }) => {
      const proxy = await startFaultProxy(inject('elasticsearch').node)
      const service = await startService({ node: proxy.node })
      const { call } = await newOrganization(service, bench.org.id)
      proxy.set(fault, (path) => path.startsWith('POST /_bulk'))
      const started = performance.now()
      for (let at = 0; at < 5; at++) {
        const { status } = await call(line('/simple'), { body: { keywords: `lost ${at}` } })
        expect(status).toBe(200)
      }
      // Five searches that wait for a write would take longer.
      expect(performance.now() - started).toBeLessThan(4 * limits.elasticMs)
      proxy.set('none')
      await call(line(), { body: { keywords: 'kept' } })
      await expect
        .poll(async () => (await call('GET /api/search/history')).body.items[0]?.keywords)
        .toBe('kept')
      // Requests that still hang are cut off, instead of being waited for.
      await Promise.all([service.stop(), proxy.close()])
    },
  )
})
