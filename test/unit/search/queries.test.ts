import { describe, expect, test } from 'vitest'
import type { Aggregations } from '../../../src/elastic/search.ts'
import { countBody, countQuery } from '../../../src/search/count-queries.ts'
import { type Criteria, criteriaOf } from '../../../src/search/criteria.ts'
import type { Mode } from '../../../src/search/cursor.ts'
import { facetValuesBody, metadataBody, searchBody } from '../../../src/search/queries.ts'
import { SearchRequest } from '../../../src/search/request-schemas.ts'
import { readingOf } from '../../../src/search/understanding/reading.ts'

const asker = { organization: 'org', username: 'ann', scope: 'org/shop', language: 'en' } as const
const criteria = (body: unknown) => criteriaOf(SearchRequest.parse(body))
const PLAIN = new Set(['compounds', 'synonyms', 'measures', 'types', 'brands', 'stock'] as const)
const read = (request: Criteria, mode: Mode = 'strict') => ({
  ...readingOf(request, { language: 'en', without: PLAIN }),
  mode,
})
const body = (request: unknown) =>
  searchBody(criteria(request), asker, { reading: read(criteria(request)) })

const terms = (field: string, size: number, more: object = {}) => ({
  terms: { field: `search.${field}`, size, ...more },
})

const numbers = {
  nested: { path: 'search.numbers' },
  aggs: {
    names: {
      ...terms('numbers.name', 100),
      aggs: { stats: { stats: { field: 'search.numbers.value' } } },
    },
  },
}

const always = {
  facetNames: terms('facetNames', 50),
  facets: terms('facets', 1000),
  numbers,
}

const name = { 'search.nameSort': { order: 'asc', missing: '_last' } }
const id = { 'search.id': { order: 'asc' } }

const offers = (aggs: object, filter: object[]) => ({
  nested: { path: 'search.offers' },
  aggs: { fitting: { filter: { bool: { filter } }, aggs } },
})

describe('the body of a search', () => {
  test('of everything', () => {
    expect(body({})).toEqual({
      from: 0,
      size: 25,
      track_total_hits: true,
      _source: ['product', 'annotations.org', 'pictures'],
      query: { bool: { filter: [{ match_all: {} }] } },
      sort: [name, id],
      aggs: {
        manufacturers: terms('manufacturer', 1000),
        vendors: terms('vendors', 1000),
        paths: terms('path', 10_000),
        ...always,
      },
    })
  })

  test('with selections in several facets', () => {
    const request = {
      inStock: true,
      vendors: ['V'],
      lowPrice: 5,
      must: [
        { type: 'facet', name: 'size', value: 'L' },
        { type: 'tag', value: 'new' },
      ],
      exclude: [{ type: 'manufacturer', value: 'M' }],
      sort: 'price',
      counts: true,
    }
    const size = { terms: { 'search.facets': ['size\u001fL\u001fl'] } }
    const vendor = { terms: { 'search.offers.vendor': ['V\u001fv'] } }
    const price = { range: { 'search.offers.price': { gte: 5 } } }
    const stock = { term: { 'search.offers.inStock': true } }
    const offer = { nested: { path: 'search.offers', query: all(vendor, price, stock) } }
    expect(body(request)).toEqual({
      from: 0,
      size: 25,
      track_total_hits: true,
      _source: ['product', 'annotations.org', 'pictures'],
      query: all(
        { term: { 'search.inStock': true } },
        {
          bool: {
            should: [
              { terms: { 'search.tags': ['org\u001fnew'] } },
              { terms: { 'search.userTags': ['org\u001fann\u001fnew'] } },
            ],
            minimum_should_match: 1,
          },
        },
        { bool: { must_not: [{ terms: { 'search.manufacturer': ['M'] } }] } },
      ),
      post_filter: all(size, offer),
      sort: [
        {
          'search.offers.price': {
            order: 'asc',
            mode: 'min',
            missing: '_last',
            nested: { path: 'search.offers', filter: all(vendor, price, stock) },
          },
        },
        id,
      ],
      aggs: {
        rest: {
          filter: all(size, offer),
          aggs: {
            manufacturers: terms('manufacturer', 1000),
            paths: terms('path', 10_000),
            ...always,
          },
        },
        own0: {
          filter: all(offer, { term: { 'search.facetNames': 'size' } }),
          aggs: {
            values: terms('facets', 50, { include: 'size\u001f.*' }),
            valuesChosen: terms('facets', 1, { include: ['size\u001fL\u001fl'] }),
          },
        },
        shared1: {
          filter: all(size),
          aggs: {
            own1: {
              filter: all({ terms: { 'search.stockVendors': ['V\u001fv'] } }),
              aggs: {
                pricesOffers: offers({ prices: { stats: { field: 'search.offers.price' } } }, [
                  vendor,
                  stock,
                ]),
              },
            },
            own2: {
              filter: all({ range: { 'search.stockPrices': { gte: 5 } } }),
              aggs: {
                vendorsOffers: offers(
                  {
                    vendors: terms('offers.vendor', 1000),
                    vendorsChosen: terms('offers.vendor', 1, { include: ['V\u001fv'] }),
                  },
                  [price, stock],
                ),
              },
            },
          },
        },
      },
    })
  })

  /** What is counted apart, with the names of the facets whose selections filter it. */
  function filtersOf(request: object) {
    const filters: [string, string[]][] = []
    const walk = (aggs: Aggregations, above: readonly string[]) => {
      for (const [name, { filter, aggs: inside }] of Object.entries(aggs)) {
        const clauses = JSON.stringify(filter).match(/(?<=search\.facets":\[")\w+/g) ?? []
        const names = [...above, ...clauses].sort()
        if (name.startsWith('shared')) walk(inside!, names)
        else filters.push([name, names])
      }
    }
    walk(body(request).aggs!, [])
    return new Map(filters)
  }
  const facetNames = (count: number) =>
    Array.from({ length: count }, (_, at) => `f${String(at).padStart(3, '0')}`)
  const selections = (names: readonly string[]) =>
    names.map((name) => ({ type: 'facet', name, value: 'x' }))

  test('each facet is filtered by the selections in all others', () => {
    const names = facetNames(5)
    const others = names.map((own, at) => [`own${at}`, names.filter((name) => name !== own)])
    expect(filtersOf({ must: selections(names) })).toEqual(
      new Map([['rest', names], ...(others as [string, string[]][])]),
    )
  })

  test('the sixteen first facets are not filtered by their own selection', () => {
    const names = facetNames(100)
    const filters = filtersOf({ must: selections(names) })
    expect([...filters.keys()].sort()).toEqual(
      ['rest', ...Array.from({ length: 16 }, (_, at) => `own${at}`)].sort(),
    )
    expect(filters.get('rest')).toEqual(names)
    expect(filters.get('own15')).toEqual(names.filter((name) => name !== 'f015'))
  })

  test('selections in many facets make few clauses', () => {
    const text = JSON.stringify(body({ must: selections(facetNames(100)) }))
    // 100 of the products, 100 of the rest, 16 * 4 in halves; then two lists of values.
    expect(text.match(/"terms":\{"search\.facets"/g)).toHaveLength(264)
  })

  test('the values of further facets are counted with all selections', () => {
    const { aggs } = body({ must: selections(facetNames(18)) })
    expect(aggs!.shared!.filter).toEqual(
      all(
        { terms: { 'search.facets': ['f016\u001fx'] } },
        { terms: { 'search.facets': ['f017\u001fx'] } },
      ),
    )
    expect(aggs!.shared!.aggs!.rest!.aggs!.facetsChosen).toEqual(
      terms('facets', 2, { include: ['f016\u001fx', 'f017\u001fx'] }),
    )
  })

  test('a facet in whose values one searches is never filtered by its own selection', () => {
    const names = facetNames(18)
    const filters = filtersOf({ must: selections(names), facetSearch: { name: 'f017', text: 'a' } })
    expect(filters.get('own17')).toEqual(names.filter((name) => name !== 'f017'))
    expect(filters.has('own15')).toBe(false)
  })

  test('without facets, every condition is in the query', () => {
    const request = {
      includeMetadata: false,
      manufacturer: ['M'],
      filters: [{ name: 'n', max: 2 }],
    }
    const { query, post_filter, aggs } = body(request)
    expect(query).toEqual(
      all(
        { terms: { 'search.manufacturer': ['M'] } },
        {
          nested: {
            path: 'search.numbers',
            query: all(
              { term: { 'search.numbers.name': 'n' } },
              { range: { 'search.numbers.value': { lte: 2 } } },
            ),
          },
        },
      ),
    )
    expect([post_filter, aggs]).toEqual([undefined, undefined])
  })

  test('boosts never filter', () => {
    const request = { boost: [{ type: 'vendor', value: 'V' }] }
    const { query, sort } = body(request)
    expect(query).toEqual({
      bool: {
        filter: [{ match_all: {} }],
        should: [
          { constant_score: { filter: { terms: { 'search.vendors': ['V\u001fv'] } }, boost: 100 } },
        ],
      },
    })
    expect(sort).toEqual([{ _score: { order: 'desc' } }, name, id])
  })

  test('all boosts together stay below an exact part number', () => {
    const boost = Array.from({ length: 100 }, (_, at) => ({
      type: 'facet',
      name: `n${at}`,
      value: 'x',
    }))
    const { should } = (body({ boost }).query as { bool: { should: Scored[] } }).bool
    const sum = should.reduce((total, { constant_score: { boost } }) => total + boost, 0)
    expect(should).toHaveLength(100)
    expect(sum).toBeLessThan(1_000)
  })

  test('an incomplete word matches types, and products of manufacturers, that begin with it', () => {
    const typed = { ...criteria({ keywords: 'dr', typing: true }), begunTypes: true }
    const { query } = searchBody(typed, asker, { reading: read(typed) })
    const some = (...should: object[]) => ({ bool: { should, minimum_should_match: 1 } })
    const constant = (filter: object, boost: number) => ({ constant_score: { filter, boost } })
    const prefix = (field: string, value: string) => ({ prefix: { [`search.${field}`]: value } })
    expect((query as { bool: { must: unknown[] } }).bool.must[1]).toEqual(
      some(
        constant(prefix('roles', 'type\u001fdr'), 0),
        constant(some(prefix('quick', 'm\u001fdr\u001f'), prefix('quick', 'm\u001fdr ')), 3),
      ),
    )
  })

  test('words are scored only if the order requires it', () => {
    const clause = (request: object) =>
      (body({ keywords: 'toner', includeMetadata: false, ...request }).query as { bool: object })
        .bool
    expect(clause({})).toHaveProperty('must')
    expect(clause({ sort: 'name' })).not.toHaveProperty('must')
    expect(body({ keywords: 'toner' }).sort).toEqual([{ _score: { order: 'desc' } }, id])
  })

  test('favorites are ordered by owner', () => {
    const { query, sort } = body({ sort: 'favorite' })
    const lifted = (value: string, boost: number) => ({
      constant_score: { filter: { term: { 'search.favorites': value } }, boost },
    })
    expect(query).toEqual({
      bool: {
        filter: [{ match_all: {} }],
        should: [
          {
            dis_max: {
              queries: [lifted('org\u001fuser\u001fann', 2), lifted('org\u001fcompany', 1)],
            },
          },
        ],
      },
    })
    expect(sort).toEqual([{ _score: { order: 'desc' } }, name, id])
  })

  test('a walk requests one hit more than it shows, and continues after the last', () => {
    const request = criteria({ cursor: '*', pageSize: 10, sort: 'updated' })
    const position = { mode: 'strict' as const, after: [5, 'p1'] }
    const walk = searchBody(request, asker, { reading: read(request), position })
    expect([walk.from, walk.size, walk.search_after]).toEqual([0, 11, [5, 'p1']])
    expect(walk.sort).toEqual([{ 'search.updated': { order: 'desc', missing: 0 } }, id])
    // The token of the walk must not become part of the body.
    const byWords = criteria({ cursor: '*', keywords: 'toner' })
    const within = { mode: 'strict' as const, after: [1.5, 'p1'], walk: 'sealed' }
    const next = searchBody(byWords, asker, { reading: read(byWords), position: within })
    expect([next.search_after, next.sort]).toEqual([
      [1.5, 'p1'],
      [{ _score: { order: 'desc' } }, id],
    ])
    expect(JSON.stringify(next)).not.toContain('sealed')
  })

  test('a query for fewer words also counts all words, with selections as a post filter', () => {
    const request = criteria({ keywords: 'tonner', includeMetadata: false, segment: 'S' })
    const { aggs, post_filter, query } = searchBody(request, asker, {
      reading: read(request, 'relaxed'),
    })
    expect(Object.keys(aggs!)).toEqual(['strict'])
    expect(post_filter).toEqual(all({ terms: { 'search.segment': ['S'] } }))
    expect(JSON.stringify(query)).not.toContain('search.segment')
  })

  test('several words also count the type that they name, with selections as a post filter; a count alike', () => {
    const judged = (keywords: string, mode: Mode = 'strict') => {
      const request = criteria({ keywords, includeMetadata: false, segment: 'S' })
      const reading = read(request, mode)
      const bodies = [searchBody(request, asker, { reading }), countBody(request, asker, reading)]
      const names = bodies.map(({ aggs = {} }) => Object.keys(aggs))
      expect(names[0]).toEqual(names[1])
      const isNonAdjacent = bodies[0]!.post_filter !== undefined
      expect(isNonAdjacent).toBe(names[0]!.length > 0)
      return names[0]
    }
    expect(judged('hdmi cable')).toEqual(['any', 'named'])
    expect(judged('hdmi cable', 'ofType')).toEqual(['any'])
    expect(['cable', 'drill 6205'].map((text) => judged(text))).toEqual([[], []])
    const { query } = searchBody(criteria({ keywords: 'hdmi cable' }), asker, {
      reading: read(criteria({ keywords: 'hdmi cable' }), 'ofType'),
    })
    const isCable = {
      constant_score: { filter: { terms: { 'search.roles': ['type\u001fcable'] } }, boost: 1 },
    }
    expect(query).toMatchObject({ bool: { must: [{ bool: { filter: [isCable] } }] } })
  })

  test('equal requests have identical bodies', () => {
    const filters = [
      { name: 'b', min: 1 },
      { name: 'a', max: 2 },
    ]
    expect(JSON.stringify(body({ vendors: ['x', 'y'], filters }))).toBe(
      JSON.stringify(body({ vendors: ['y', 'x'], filters: filters.toReversed() })),
    )
  })

  test('a facet search is requested beside the values of its facet', () => {
    const include = 'size\u001f.*品.*'
    const found = terms('facets', 50, { include })
    const facetSearch = { name: 'size', text: '品' }
    expect(body({ facetSearch }).aggs).toMatchObject({ found })
    const must = [{ type: 'facet', name: 'size', value: 'L' }]
    expect(body({ facetSearch, must }).aggs).toMatchObject({ own0: { aggs: { found } } })
    const attribute = { found: terms('attributes', 50, { include }) }
    const inAttribute = { facetSearch: { ...facetSearch, type: 'attribute' }, must }
    expect(body(inAttribute).aggs).toMatchObject({ rest: { aggs: attribute } })
  })
})

test('the whole catalog', () => {
  const { aggs, ...rest } = metadataBody(criteria({}), asker)
  expect(rest).toEqual({
    size: 0,
    track_total_hits: false,
    query: { bool: { filter: [{ match_all: {} }] } },
  })
  expect(aggs).toEqual(body({}).aggs)
})

test('the second request for facets', () => {
  const request = criteria({ manufacturer: ['M'] })
  const facet = (value: string) => ({
    filter: { term: { 'search.facetNames': value } },
    aggs: { values: terms('facets', 50, { include: `${value}\u001f.*` }) },
  })
  expect(facetValuesBody(request, asker, { reading: read(request), names: ['a', 'b'] })).toEqual({
    size: 0,
    track_total_hits: false,
    query: { bool: { filter: [{ match_all: {} }] } },
    aggs: {
      rest: {
        filter: all({ terms: { 'search.manufacturer': ['M'] } }),
        aggs: { facet0: facet('a'), facet1: facet('b') },
      },
    },
  })
})

test('a count has every condition in the query', () => {
  const request = criteria({
    manufacturer: ['M'],
    highPrice: 3,
    boost: [{ type: 'tag', value: 'x' }],
  })
  expect(countQuery(request, asker, read(request))).toEqual(
    all({ terms: { 'search.manufacturer': ['M'] } }, { range: { 'search.prices': { lte: 3 } } }),
  )
})

test('a count for fewer words has selections as a post filter', () => {
  const request = criteria({ keywords: 'tonner', category: 'C' })
  const reading = read(request, 'relaxed')
  const { size, post_filter, aggs } = countBody(request, asker, reading)
  expect([size, post_filter, Object.keys(aggs!)]).toEqual([
    0,
    all({ terms: { 'search.category': ['C'] } }),
    ['strict'],
  ])
})

interface Scored {
  constant_score: { boost: number }
}

function all(...filter: object[]) {
  return { bool: { filter } }
}
