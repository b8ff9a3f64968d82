import { beforeAll, describe, expect, test } from 'vitest'
import { seedCatalog } from '../support/catalog.ts'
import { caller, expectOk, newOrganization } from '../support/client.ts'
import { type SearchBench, searchBench } from '../support/search.ts'

let bench: SearchBench
beforeAll(async () => {
  bench = await searchBench([
    {
      id: '1',
      manufacturer: 'Acme',
      segment: 'Rooms',
      category: 'Desks',
      facets: { Colour: 'Brown', constructor: '10' },
      filters: { Weight: -2.5 },
      vendors: [{ vendorName: 'Alpha', cost: 1, inStock: true }],
    },
    { id: '2', manufacturer: 'Acme', segment: 'Rooms', filters: { Weight: 4 }, msrp: 9 },
    { id: '3', manufacturer: 'Bolt', category: 'Loose' },
  ])
})

const documented = {
  segments: { Rooms: ['Desks'], '': ['Loose'] },
  vendors: ['Alpha'],
  manufacturers: ['Acme', 'Bolt'],
  facets: { Colour: ['Brown'], constructor: ['10'] },
  filters: { Weight: { key: 'Weight', min: -2.5, max: 4 } },
}

describe('Metadata', () => {
  test.each(['1.0', '6.0'])('returns what a catalog contains (%s)', async (version) => {
    const { status, body } = await bench.org.call(
      `GET /api/search/metadata?catalog=${bench.catalog}`,
      { version },
    )
    expect([status, body]).toEqual([200, documented])
  })

  test('includes counts on request', async () => {
    const { body } = await bench.at('GET', '/metadata?counts=true')
    expect(body).toEqual({
      ...documented,
      counts: {
        segments: { Rooms: 2 },
        categories: { Rooms: { Desks: 1 }, '': { Loose: 1 } },
        subCategories: {},
        manufacturers: { Acme: 2, Bolt: 1 },
        vendors: { Alpha: 1 },
        facets: { Colour: { Brown: 1 }, constructor: { '10': 1 } },
        price: { min: 1, max: 9 },
      },
    })
  })

  test('is the same as in a search for everything', async () => {
    expect((await bench.search({})).metadata).toEqual(documented)
  })

  test('adds up a category in two segments, which Count separates', async () => {
    const at = (segment: string | null, id: number) => {
      return { id: `${segment}${id}`, segment, category: 'Accessories', subCategory: 'Cables' }
    }
    const catalog = await seedCatalog(bench.service, bench.org, [
      ...[1, 2, 3].map((id) => at('Tools', id)),
      ...[1, 2].map((id) => at('Office', id)),
      at(null, 1),
    ])
    const ask = async (what: string, body: object) =>
      (await expectOk(bench.org.call(`POST /api/search${what}?catalog=${catalog}`, { body }))).body
    const cables = async (body: object) => {
      const { counts } = (await ask('', { counts: true, ...body })).metadata
      return [counts.subCategories.Accessories.Cables, counts.categories, counts.segments]
    }
    const all = { Tools: { Accessories: 3 }, Office: { Accessories: 2 }, '': { Accessories: 1 } }
    const path = { segment: 'Tools', category: 'Accessories', subCategory: 'Cables' }
    for (const body of [{}, path]) {
      expect(await cables(body)).toEqual([6, all, { Tools: 3, Office: 2 }])
    }
    const counted = async (body: object) => (await ask('/count', body)).count
    expect(await counted(path)).toBe(3)
    expect(await counted({ category: 'Accessories' })).toBe(6)
    expect(await counted({ ...path, segment: '' })).toBe(6)
  })

  test('of an empty catalog is empty', async () => {
    const catalog = await seedCatalog(bench.service, bench.org, [])
    const { body } = await bench.org.call(`GET /api/search/metadata?catalog=${catalog}`)
    expect(body).toEqual({ segments: {}, vendors: [], manufacturers: [], facets: {}, filters: {} })
  })

  test('is available to a search key, and never shows another catalog or organization', async () => {
    const { service, org, catalog } = bench
    const stranger = await newOrganization(service)
    const foreign = await seedCatalog(service, stranger, [{ id: 'x', manufacturer: 'Foreign' }])
    const key = await org.key('viewer', 'search')
    const answer = await bench.at('GET', '/metadata', undefined, caller(service, { key }))
    expect(answer.body).toEqual(documented)
    const { body } = await stranger.call(`GET /api/search/metadata?catalog=${foreign}`)
    expect(body.manufacturers).toEqual(['Foreign'])
    expect((await stranger.call(`GET /api/search/metadata?catalog=${catalog}`)).status).toBe(404)
  })
})
