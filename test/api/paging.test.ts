import { beforeAll, describe, expect, test } from 'vitest'
import type { Sketch } from '../support/catalog.ts'
import { openCursor, sealCursor } from '../support/cursors.ts'
import { type SearchBench, searchBench } from '../support/search.ts'

/** Many equal and many absent values: paging fails most easily at ties and gaps. */
const products = (organization: string): Sketch[] =>
  Array.from({ length: 60 }, (_, at) => ({
    id: `p${at}`,
    name: at % 5 === 0 ? null : ['Ärmel', 'armband', 'Zoo', 'zoo', 'Öl'][at % 5]!,
    manufacturer: at % 2 ? 'Odd' : 'Even',
    description: at % 3 ? 'toner' : 'toner toner ink',
    msrp: at % 4 === 0 ? null : at % 7,
    vendors:
      at % 3 === 0
        ? [
            { vendorName: 'A', cost: at % 6, inStock: at % 2 === 0 },
            { vendorName: 'B', cost: 9 - (at % 9), inStock: at % 4 === 0 },
          ]
        : [],
    lastUpdated: `2026-0${1 + (at % 3)}-01T00:00:00.000Z`,
    annotations: {
      [organization]: {
        favorite: at % 4 === 0,
        favoriteUsers: at % 6 === 0 ? ['administrator'] : [],
      },
    },
  }))

let bench: SearchBench
beforeAll(async () => {
  bench = await searchBench((org) => products(org.id))
})

const REQUESTS = [
  ...['relevance', 'price', '-price', 'name', '-name', 'updated', 'favorite', 'popularity'].map(
    (sort) => ({
      sort,
    }),
  ),
  { keywords: 'toner' },
  { keywords: 'toner', sort: 'price' },
  { keywords: 'tonner unheardof' },
  { keywords: 'tonner', sort: 'favorite', manufacturer: ['Odd'] },
  { boost: [{ type: 'manufacturer', value: 'Odd' }] },
  { sort: 'price', vendors: ['A'], lowPrice: 1 },
  { sort: '-price', inStock: true },
  { sort: 'price', must: [{ type: 'vendor', value: 'B' }], inStock: true },
]

interface Page {
  products: { id: string }[]
  total: number
  cursor?: string
}

async function walk(body: object, pageSize: number): Promise<string[]> {
  const ids: string[] = []
  for (let cursor: string | undefined = '*'; cursor; ) {
    const page: Page = await bench.search({ includeMetadata: false, ...body, pageSize, cursor })
    ids.push(...page.products.map(({ id }) => id))
    cursor = page.cursor
  }
  return ids
}

describe.each(REQUESTS)('%j', (request) => {
  test('pages contain each product once, in one order', async () => {
    const whole = await bench.ids(request)
    const { total } = await bench.search(request)
    expect(new Set(whole).size).toBe(total)
    const pages: string[] = []
    for (let page = 0; page * 7 < total; page++) {
      pages.push(...(await bench.ids({ ...request, page, pageSize: 7 })))
    }
    expect(pages).toEqual(whole)
  })

  test('a walk with cursors returns the same', async () => {
    const whole = await bench.ids(request)
    expect(await walk(request, 7)).toEqual(whole)
    // Its last page is full and has no cursor.
    expect(await walk(request, whole.length)).toEqual(whole)
    expect(await walk(request, 250)).toEqual(whole)
  })
})

describe('sort orders', () => {
  test('names are folded, then ordered by code point; products without one come last', async () => {
    const names = (await bench.search({ pageSize: 60, sort: 'name' })).products.map(
      ({ name }: { name: string | null }) => name,
    )
    const folded = names.map((name: string | null) =>
      name === null ? '~' : name.replace('Ä', 'a').replace('Ö', 'o').toLowerCase(),
    )
    expect(folded).toEqual(folded.toSorted())
    expect(names.at(-1)).toBeNull()
    const backwards = (await bench.search({ pageSize: 60, sort: '-name' })).products
    expect(backwards.at(-1).name).toBeNull()
    expect(backwards[0].name.toLowerCase()).toBe('zoo')
  })

  test('newest comes first', async () => {
    const times = (await bench.search({ pageSize: 60, sort: 'updated' })).products.map(
      ({ lastUpdated }: { lastUpdated: string }) => lastUpdated,
    )
    expect(times).toEqual(times.toSorted().toReversed())
  })

  test('favorites: the caller’s, then the organization’s, then the rest', async () => {
    const { products: found } = await bench.search({ pageSize: 60, sort: 'favorite' })
    const ranks = found.map(({ favorite }: { favorite: { company: boolean; user: boolean } }) =>
      favorite.user ? 0 : favorite.company ? 1 : 2,
    )
    expect(ranks).toEqual(ranks.toSorted())
    expect(new Set(ranks)).toEqual(new Set([0, 1, 2]))
  })
})

describe('page and pageSize', () => {
  test('a page has 25 products by default', async () => {
    expect((await bench.search({})).products).toHaveLength(25)
    expect((await bench.search({ pageSize: 0 })).products).toHaveLength(25)
    expect((await bench.search({ page: 2 })).products).toHaveLength(10)
  })

  test('a page behind the last product is empty, with the same total', async () => {
    expect(await bench.search({ page: 3 })).toMatchObject({ products: [], total: 60 })
    expect(await bench.search({ page: 39, pageSize: 250 })).toMatchObject({
      products: [],
      total: 60,
    })
  })

  test('a page beyond 10,000 products is refused with the limit and a hint at cursors', async () => {
    const { status, body } = await bench.at('POST', '', { page: 40, pageSize: 250 })
    expect(status).toBe(400)
    expect(body.message).toBe(
      'page: only the first 10000 hits can be paged; narrow the search, or use cursor "*" to get all',
    )
  })
})

describe('a cursor', () => {
  const start = async (body: object) =>
    (await bench.search({ ...body, pageSize: 5, cursor: '*' })).cursor as string
  const refusal = async (body: object) => {
    const answer = await bench.at('POST', '', body)
    return [answer.status, answer.body.message]
  }

  test('is returned only if a walk is requested', async () => {
    expect(await bench.search({ pageSize: 5 })).not.toHaveProperty('cursor')
    expect(await bench.search({ pageSize: 60, cursor: '*' })).not.toHaveProperty('cursor')
  })

  test('is valid only for its own request', async () => {
    const cursor = await start({ sort: 'name' })
    const other = [400, 'cursor: belongs to another search; start again with "*"']
    expect(await refusal({ sort: 'price', cursor })).toEqual(other)
    expect(await refusal({ sort: 'name', cursor, manufacturer: ['Odd'] })).toEqual(other)
    expect(await refusal({ sort: 'name', cursor, page: 1 })).toEqual([
      400,
      'page: cannot be combined with cursor',
    ])
    const more = { sort: 'name', cursor, pageSize: 8, highlight: true, includeMetadata: false }
    expect((await bench.search(more)).products).toHaveLength(8)
  })

  test('returns 400 if it was modified, never 500', async () => {
    const cursor = await start({ sort: 'price' })
    const [version, print, mode] = openCursor(bench, cursor)
    const forged = (after: unknown) => sealCursor(bench, [version, print, mode, after])
    for (const after of [
      ['x', 'p1'],
      [[1], 'p1'],
      [1],
      [1, 'p1', 2],
      {},
      'NaN',
      [1, 2],
      [null, 'p1'],
    ]) {
      expect(await refusal({ sort: 'price', cursor: forged(after) })).toEqual([
        400,
        'cursor: not valid; start with "*"',
      ])
    }
    for (const after of [
      [0, null],
      ['Infinity', ''],
      ['-Infinity', 'z'],
      [1e308, 'p1'],
    ]) {
      const answer = await bench.at('POST', '', { sort: 'price', cursor: forged(after) })
      expect([after, answer.status]).toEqual([after, 200])
    }
  })

  test.each(['name', '-name', 'relevance'])(
    'is returned after products without a name (%s)',
    async (sort) => {
      const cursor = await start({ sort })
      const [version, print, mode, after] = openCursor(bench, cursor)
      const nothing = after.map(() => null)
      const forged = sealCursor(bench, [version, print, mode, nothing])
      const answer = await bench.at('POST', '', { sort, cursor: forged })
      expect(answer.status).toBe(200)
    },
  )
})
