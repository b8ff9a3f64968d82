import { beforeAll, describe, expect, test } from 'vitest'
import { type SearchBench, searchBench } from '../support/search.ts'

let bench: SearchBench
beforeAll(async () => {
  bench = await searchBench([
    { id: '1', name: 'Black toner', manufacturer: 'Acme', facets: { Colour: 'Black' }, msrp: 5 },
    { id: '2', name: 'Cyan toner', manufacturer: 'Acme', facets: { Colour: 'Cyan' }, msrp: 7 },
    { id: '3', name: 'Desk', manufacturer: 'Bolt', filters: { Weight: 3 } },
  ])
})

describe('Count', () => {
  test.each(['1.0', '6.0'])(
    'returns the number of products and the catalog (%s)',
    async (version) => {
      const { status, body } = await bench.org.call(
        `POST /api/search/count?catalog=${bench.catalog}`,
        { version, body: {} },
      )
      expect([status, body]).toEqual([200, { count: 3, catalog: bench.catalog }])
    },
  )

  test.each([
    [{ keywords: 'toner' }, 2],
    [{ keywords: 'toner', manufacturer: ['Bolt'] }, 0],
    [{ keywords: 'tonner' }, 2],
    [{ lowPrice: 6 }, 1],
    [{ must: [{ type: 'facet', name: 'Colour', value: 'Cyan' }] }, 1],
    [{ exclude: [{ type: 'manufacturer', value: 'Acme' }] }, 1],
    [{ boost: [{ type: 'manufacturer', value: 'Acme' }] }, 3],
    [{ filters: [{ name: 'Weight' }] }, 1],
    [{ inStock: true }, 0],
    [{ sort: 'favorite', page: 2, pageSize: 1 }, 3],
  ])('%j', async (body, count) => {
    expect((await bench.at('POST', '/count', body)).body.count).toBe(count)
    expect((await bench.search({ ...body, page: 0 })).total).toBe(count)
  })

  test('costs one request to Elasticsearch', async () => {
    const body = { manufacturer: ['Acme'], vendors: ['V'], lowPrice: 3 }
    expect(await bench.trips(() => bench.at('POST', '/count', body))).toBe(1)
  })

  test('is not recorded in the history', async () => {
    await bench.at('POST', '/count', { keywords: 'desk' })
    await bench.service.services.background.settled()
    const { body } = await bench.org.call('GET /api/search/history')
    expect(JSON.stringify(body)).not.toContain('"desk"')
  })
})
