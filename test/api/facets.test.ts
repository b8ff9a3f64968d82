import { beforeAll, describe, expect, test } from 'vitest'
import { shortValue } from '../../src/products/short-value.ts'
import type { Sketch } from '../support/catalog.ts'
import { expectOk } from '../support/client.ts'
import { type SearchBench, searchBench } from '../support/search.ts'

/** The longest name and value of a facet, with the characters that grow most when folded. */
const LONG = { name: '製'.repeat(200), value: 'ﷺ'.repeat(2_000) }

const ODD = 'a.b*(c)[d]{e}|"f"\\#@&<g>~^$?+-1 é'

const products: Sketch[] = [
  {
    id: '1',
    manufacturer: 'Acme',
    segment: 'Rooms',
    category: 'Desks',
    subCategory: 'Oak',
    facets: { Colour: 'Brown', Size: 'L', [ODD]: 'x.y' },
    attributes: { Finish: 'Weiß, 1,5 mm²', Colour: 'Blond' },
    filters: { Weight: 5, Height: 1 },
    vendors: [{ vendorName: 'Alpha', cost: 10, inStock: true }],
  },
  {
    id: '2',
    manufacturer: 'Acme',
    segment: 'Rooms',
    category: 'Chairs',
    facets: { Colour: 'Black', Size: 'L', [ODD]: 'xzy' },
    attributes: { Finish: '½ Straße', Other: 'Weiß' },
    filters: { Weight: 9 },
    vendors: [{ vendorName: 'Beta', cost: 20, inStock: true }],
  },
  {
    id: '3',
    manufacturer: 'Bolt',
    segment: 'Halls',
    category: 'Chairs',
    facets: { Colour: 'Crème brûlée', Size: 'S' },
    filters: { Height: 4 },
    msrp: 30,
  },
  {
    id: '4',
    manufacturer: 'Cord',
    category: 'Lamps',
    facets: { Size: 'M' },
    attributes: { [LONG.name]: LONG.value },
  },
]

let bench: SearchBench
beforeAll(async () => {
  bench = await searchBench(products)
})

const facet = (name: string, value: string) => ({ type: 'facet', name, value })
const counted = async (body: object) =>
  (await bench.search({ counts: true, ...body })).metadata.counts

describe('a selection narrows all other facets but not its own', () => {
  test.each([[{ manufacturer: ['Acme'] }], [{ must: [{ type: 'manufacturer', value: 'Acme' }] }]])(
    'manufacturer: %j',
    async (body) => {
      const { manufacturers, facets } = await counted(body)
      expect(manufacturers).toEqual({ Acme: 2, Bolt: 1, Cord: 1 })
      expect(facets.Colour).toEqual({ Brown: 1, Black: 1 })
    },
  )

  test('segment, category and subCategory are one', async () => {
    const { segments, categories, subCategories, manufacturers } = await counted({
      segment: 'Rooms',
      category: 'Desks',
    })
    expect(segments).toEqual({ Rooms: 2, Halls: 1 })
    expect(categories).toEqual({
      Rooms: { Desks: 1, Chairs: 1 },
      Halls: { Chairs: 1 },
      '': { Lamps: 1 },
    })
    expect(subCategories).toEqual({ Desks: { Oak: 1 } })
    expect(manufacturers).toEqual({ Acme: 1 })
  })

  test('each facet by its name', async () => {
    const { facets } = await counted({ must: [facet('Size', 'L'), facet('Colour', 'Black')] })
    expect(facets).toEqual({
      Size: { L: 1 },
      Colour: { Brown: 1, Black: 1 },
      [ODD]: { xzy: 1 },
    })
  })

  test('price', async () => {
    const { price, vendors } = await counted({ lowPrice: 15 })
    expect(price).toEqual({ min: 10, max: 30 })
    expect(vendors).toEqual({ Beta: 1 })
    expect((await counted({ lowPrice: 15, inStock: true })).price).toEqual({ min: 10, max: 20 })
    expect((await counted({ lowPrice: 15, vendors: ['Beta'] })).price).toEqual({ min: 20, max: 20 })
  })

  test('in each of many facets, beside price, vendor and number', async () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f']
    const alike = (except?: string) =>
      Object.fromEntries(names.map((name) => [name, name === except ? 'no' : 'yes']))
    const offers = (vendorName: string, cost: number) => [{ vendorName, cost, inStock: true }]
    const shop = await searchBench([
      { id: 'all', facets: alike(), filters: { N: 5 }, vendors: offers('V', 20) },
      ...names.map((name) => ({
        id: name,
        facets: alike(name),
        filters: { N: 6 },
        vendors: offers('V', 30),
      })),
      { id: 'other', facets: alike(), filters: { N: 7 }, vendors: offers('W', 25) },
      { id: 'cheap', facets: alike(), filters: { N: 8 }, vendors: offers('V', 2) },
      { id: 'small', facets: alike(), filters: { N: 1 }, vendors: offers('V', 40) },
      { id: 'neither', facets: { ...alike('a'), b: 'no' }, vendors: offers('V', 50) },
    ])
    const { metadata, total } = await shop.search({
      must: names.map((name) => facet(name, 'yes')),
      vendors: ['V'],
      lowPrice: 10,
      filters: [{ name: 'N', min: 5 }],
      counts: true,
    })
    expect(total).toBe(1)
    expect(metadata.counts.facets).toEqual(
      Object.fromEntries(names.map((name) => [name, { yes: 1, no: 1 }])),
    )
    expect(metadata.counts.vendors).toEqual({ V: 1, W: 1 })
    expect(metadata.counts.price).toEqual({ min: 2, max: 20 })
    expect(metadata.filters).toEqual({ N: { key: 'N', min: 1, max: 5 } })
  })

  test('numeric filter', async () => {
    const { metadata } = await bench.search({ filters: [{ name: 'Weight', min: 6 }] })
    expect(metadata.filters).toEqual({ Weight: { key: 'Weight', min: 5, max: 9 } })
  })
})

test('with selections in many facets, the first sixteen are not narrowed by their own', async () => {
  const names = Array.from({ length: 18 }, (_, at) => `f${10 + at}`)
  const facetsOf = (value: string) => Object.fromEntries(names.map((name) => [name, value]))
  const shop = await searchBench([
    { id: 'all', facets: facetsOf('X'), filters: { Weight: 5 } },
    { id: 'first', facets: { ...facetsOf('X'), f10: 'Y' }, filters: { Weight: 6 } },
    { id: 'last', facets: { ...facetsOf('X'), f27: 'Y' }, filters: { Weight: 7 } },
  ])
  const request = {
    must: names.map((name) => ({ type: 'facet', name, value: 'X' })),
    filters: [{ name: 'Weight', max: 9 }],
    counts: true,
    facets: { ranges: true },
  }
  const { total, metadata } = await shop.search(request)
  expect(total).toBe(1)
  expect(Object.keys(metadata.facets).sort()).toEqual(names)
  expect(metadata.counts.facets).toMatchObject({
    f10: { X: 1, Y: 1 },
    f11: { X: 1 },
    f27: { X: 1 },
  })
  expect(metadata.filters.Weight).toMatchObject({ min: 5, max: 5 })
  const facetSearch = { name: 'f27', text: 'y' }
  const searched = await shop.search({ ...request, facetSearch })
  expect(searched.metadata.facetSearch).toEqual({ Y: 1 })
  expect(searched.metadata.counts.facets.f27).toEqual({ X: 1, Y: 1 })
})

describe('listed values', () => {
  test('always include selected ones, even without products', async () => {
    const body = {
      manufacturer: ['Acme', 'Nobody'],
      vendors: ['Alpha', 'None'],
      segment: 'Nowhere',
      must: [facet('Size', 'XXL'), facet('Shape', 'round')],
      filters: [{ name: 'Depth', min: 3 }],
      lowPrice: 1,
    }
    const { metadata } = await bench.search({ ...body, counts: true })
    expect(metadata).toMatchObject({
      manufacturers: ['Acme', 'Nobody'],
      vendors: ['Alpha', 'None'],
      segments: { Nowhere: [] },
      facets: { Size: ['XXL'], Shape: ['round'] },
      filters: { Depth: { key: 'Depth', min: 3, max: 3 } },
      counts: {
        manufacturers: { Acme: 0, Nobody: 0 },
        vendors: { Alpha: 0, None: 0 },
        segments: { Nowhere: 0 },
        facets: { Size: { XXL: 0 }, Shape: { round: 0 } },
        price: { min: null, max: null },
      },
    })
  })

  test('never include excluded ones, even if selected', async () => {
    const acme = { type: 'manufacturer', value: 'Acme' }
    const body = { must: [acme, facet('Size', 'L')], exclude: [acme, facet('Size', 'L')] }
    const { metadata } = await bench.search(body)
    expect(metadata.manufacturers).not.toContain('Acme')
    expect(metadata.facets.Size).not.toContain('L')
    const { vendors } = await counted({ exclude: [{ type: 'vendor', value: 'Alpha' }] })
    expect(vendors).toEqual({ Beta: 1 })
  })

  test('can have names and values with any characters', async () => {
    expect((await counted({})).facets[ODD]).toEqual({ 'x.y': 1, xzy: 1 })
    expect((await counted({ must: [facet(ODD, 'x.y')] })).facets[ODD]).toEqual({ 'x.y': 1, xzy: 1 })
    expect(await bench.ids({ must: [facet(ODD, 'x.y')] })).toEqual(['1'])
  })
})

describe('long values of a facet', () => {
  const prose = (end: string) => `Ölfest, ${'made of rubber '.repeat(30)}${end}`
  const [one, other] = [prose('one'), prose('other')]
  const short = shortValue(one)
  let long: SearchBench
  beforeAll(async () => {
    long = await searchBench([
      { id: 'a', facets: { Grip: one }, groupId: 'g', options: { Kind: one } },
      { id: 'b', facets: { Grip: one }, groupId: 'g', options: { Kind: other } },
      { id: 'c', facets: { Grip: other } },
    ])
  })

  test('are listed shortened, and found by that or as a whole', async () => {
    const { products, metadata } = await long.search({ counts: true, group: true })
    expect(metadata.facets.Grip).toEqual([short, shortValue(other)])
    expect(products[0].facets).toEqual({ Grip: one })
    expect(products[0].group.options.Kind).toContain(short)
    for (const value of [one, short]) {
      const must = [facet('Grip', value)]
      expect(await long.ids({ must })).toEqual(['a', 'b'])
      expect(await long.ids({ exclude: must })).toEqual(['c'])
      const { counts } = (await long.search({ must, counts: true })).metadata
      expect(counts.facets.Grip).toEqual({ [short]: 2, [shortValue(other)]: 1 })
    }
    const both = [facet('Grip', one), facet('Grip', short)]
    const { facets } = (await long.search({ must: both, keywords: 'nothing' })).metadata
    expect(facets.Grip).toEqual([short])
    const { metadata: none } = await long.search({ must: both.slice(0, 1), exclude: both.slice(1) })
    expect(none.facets.Grip).toEqual([shortValue(other)])
  })

  test('are found by their beginnings, but not by their hashes', async () => {
    const found = async (text: string) =>
      (await long.search({ facetSearch: { name: 'Grip', text } })).metadata.facetSearch
    expect(await found('OLFEST, made')).toEqual({ [short]: 2, [shortValue(other)]: 1 })
    expect(await found(short.slice(-4))).toEqual({})
  })
})

describe('facetSearch', () => {
  const searched = async (facetSearch: object, body: object = {}) =>
    (await bench.search({ ...body, facetSearch })).metadata.facetSearch

  test.each([
    [
      { name: 'Colour', text: 'B' },
      { Brown: 1, Black: 1, 'Crème brûlée': 1 },
    ],
    [{ name: 'Colour', text: 'BRULEE' }, { 'Crème brûlée': 1 }],
    [{ name: 'Colour', text: 'ème BRÛ' }, { 'Crème brûlée': 1 }],
    [{ name: 'Colour', text: '.' }, {}],
    [{ name: ODD, text: 'X.' }, { 'x.y': 1 }],
    [{ name: 'Size' }, { L: 2, S: 1, M: 1 }],
    [{ name: 'Unknown', text: 'x' }, {}],
    [{ type: 'manufacturer', text: 'ÓL' }, { Bolt: 1 }],
    [{ type: 'attribute', name: 'Colour', text: 'b' }, { Blond: 1 }],
    [{ type: 'attribute', name: 'Finish', text: 'Weiß' }, { 'Weiß, 1,5 mm²': 1 }],
    [{ type: 'attribute', name: 'Finish', text: 'WEISS' }, { 'Weiß, 1,5 mm²': 1 }],
    [{ type: 'attribute', name: 'Finish', text: 'mm²' }, { 'Weiß, 1,5 mm²': 1 }],
    [{ type: 'attribute', name: 'Finish', text: '1/2 stras' }, { '½ Straße': 1 }],
    [
      { type: 'attribute', name: 'Finish', text: 'ß' },
      { 'Weiß, 1,5 mm²': 1, '½ Straße': 1 },
    ],
    [
      { type: 'vendor', text: 'Á' },
      { Alpha: 1, Beta: 1 },
    ],
  ])('%j', async (facetSearch, expected) => {
    expect(await searched(facetSearch)).toEqual(expected)
  })

  test('counts as its facet does', async () => {
    const size = { name: 'Size', text: '' }
    expect(await searched(size, { must: [facet('Size', 'L')] })).toEqual({ L: 2, S: 1, M: 1 })
    expect(await searched(size, { manufacturer: ['Acme'] })).toEqual({ L: 2 })
    const vendor = { type: 'vendor', text: 'a' }
    expect(await searched(vendor, { lowPrice: 15 })).toEqual({ Beta: 1 })
    expect(await searched(vendor, { lowPrice: 15, vendors: ['Alpha'] })).toEqual({ Beta: 1 })
    // An attribute is not a facet: it is not listed, and its chosen values narrow it.
    const finish = { type: 'attribute', name: 'Finish', text: 'ß' }
    const chosen = { type: 'attribute', name: 'Finish', value: '½ Straße' }
    expect(await searched(finish, { must: [chosen] })).toEqual({ '½ Straße': 1 })
    expect(await searched(finish, { must: [facet('Colour', 'Brown')] })).toEqual({
      'Weiß, 1,5 mm²': 1,
    })
    expect((await bench.search({})).metadata.facets).not.toHaveProperty('Finish')
  })

  test('accepts any text', async () => {
    const long = ['o', 's', 'ffi', ' 1/2', '1/', 'ﷺ', 'ﷺo', 'ǆǳ', 'x\u0301', '한', '💡', 'IJ'].map(
      (piece) => piece.repeat(100).slice(0, 100),
    )
    for (const text of [ODD, ...long, '\\', '[', '"']) {
      const { status } = await bench.at('POST', '', { facetSearch: { name: ODD, text } })
      expect([text, status]).toEqual([text, 200])
    }
  })

  test('finds the longest values by their beginnings', async () => {
    const { name, value } = LONG
    for (const text of [value.slice(0, 90), 'ﷺ', '']) {
      const found = await searched({ type: 'attribute', name, text })
      expect(found).toEqual({ [shortValue(value)]: 1 })
    }
    const must = [value, shortValue(value)].map((one) => ({ type: 'attribute', name, value: one }))
    for (const one of must) expect(await bench.ids({ must: [one] })).toEqual(['4'])
  })

  test('is answered only if requested', async () => {
    expect((await bench.search({})).metadata).not.toHaveProperty('facetSearch')
  })
})

describe('a catalog with far more values than an answer contains', () => {
  const NAMES = 60
  const many: Sketch[] = Array.from({ length: 200 }, (_, at) => ({
    id: `p${at}`,
    manufacturer: `Maker ${at}`,
    facets: Object.fromEntries(
      // All but n products have name n; its value is common, less common or unique.
      Array.from({ length: NAMES }, (_, n) => n)
        .filter((n) => at >= n)
        .map((n) => [`name${n}`, at % 20 < 12 ? `v${at % 20}` : `only${at}`]),
    ),
    filters: Object.fromEntries(Array.from({ length: 105 }, (_, n) => [`n${n}`, at + n])),
  }))

  let wide: SearchBench
  beforeAll(async () => {
    wide = await searchBench(many)
  })

  const expected = (name: string, of: readonly Sketch[] = many) => {
    const counts = new Map<string, number>()
    for (const { facets = {} } of of) {
      const value = facets[name]
      if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1)
    }
    return counts
  }

  test('shows the 50 most frequent names, each with its most frequent values, counted exactly', async () => {
    const { facets } = (await wide.search({ counts: true })).metadata.counts
    const names = Array.from({ length: 50 }, (_, n) => `name${n}`)
    expect(Object.keys(facets).toSorted()).toEqual(names.toSorted())
    for (const name of names) {
      const all = expected(name)
      const shown = Object.entries(facets[name])
      expect(shown.length).toBeLessThanOrEqual(50)
      for (const [value, count] of shown)
        expect([name, value, count]).toEqual([name, value, all.get(value)])
      const best = [...all.values()].toSorted((a, b) => b - a).slice(0, 10)
      expect(Object.values(facets[name]).slice(0, 10)).toEqual(best)
    }
  })

  test('costs one further request only if a name has too few values', async () => {
    const rare: Sketch[] = Array.from({ length: 120 }, (_, at) => ({
      id: `r${at}`,
      facets: Object.fromEntries(
        Array.from({ length: 12 }, (_, n) => [`unique${n}`, `u${at % 119}`]),
      ),
    }))
    const fewer = await searchBench(rare)
    const { metadata } = await fewer.search({ counts: true })
    expect(Object.keys(metadata.counts.facets)).toHaveLength(12)
    for (const values of Object.values<object>(metadata.counts.facets)) {
      expect(Object.keys(values).length).toBeGreaterThanOrEqual(10)
      expect(values).toMatchObject({ u0: 2 })
    }
    expect(await fewer.trips(() => fewer.search({ counts: true }))).toBe(2)
    expect(await bench.trips(() => bench.search({ counts: true }))).toBe(1)
  })

  test('applies selections to the second request too', async () => {
    const body = {
      counts: true,
      must: [facet('name0', 'v0'), facet('name1', 'v0')],
      manufacturer: ['Maker 20', 'Maker 40', 'Maker 1'],
    }
    const { facets } = (await wide.search(body)).metadata.counts
    expect(facets.name5).toEqual({ v0: 2 })
    expect(facets.name0).toEqual({ v0: 2 })
  })

  test('lists the selected name even if it is not among the most frequent', async () => {
    const { facets } = (await wide.search({ must: [facet('name59', 'v1')] })).metadata
    expect(facets.name59).toHaveLength(50)
    expect(facets.name59).toContain('v1')
  })

  test('lists at most 100 numeric filters by coverage, and always the selected one', async () => {
    const { filters } = (await wide.search({})).metadata
    expect(Object.keys(filters)).toHaveLength(100)
    const hidden = Array.from({ length: 105 }, (_, n) => `n${n}`).find(
      (name) => !(name in filters),
    )!
    const at = Number(hidden.slice(1))
    const selected = (await wide.search({ filters: [{ name: hidden, min: 0 }] })).metadata.filters
    expect(selected[hidden]).toEqual({ key: hidden, min: at, max: 199 + at })
  })

  test('lists all manufacturers', async () => {
    expect((await wide.search({})).metadata.manufacturers).toHaveLength(200)
  })
})

describe('requested facets', () => {
  let shop: SearchBench
  beforeAll(async () => {
    shop = await searchBench(
      Array.from({ length: 12 }, (_, at) => ({
        id: `p${String(at).padStart(2, '0')}`,
        manufacturer: ['10', '9', 'Acme'][at % 3]!,
        segment: 'Tools',
        category: ['Drills > Cordless', 'Drills'][at % 2]!,
        ...(at % 4 === 0 ? { subCategory: '18 V > Kits' } : {}),
        facets: {
          Same: 'yes',
          Serial: `S${at}`,
          Size: ['2', '10', '1'][at % 3]!,
          ...(at < 6 ? { Colour: ['Red', 'Blue'][at % 2]! } : {}),
          ...(at < 1 ? { Rare: 'a' } : {}),
        },
      })),
    )
  })
  const metadata = async (facets: object, more = {}) =>
    (await shop.search({ facets, ...more })).metadata

  test('list the most useful ones first, and everything selected', async () => {
    expect(Object.keys((await metadata({ most: 2 })).facets)).toEqual(['Serial', 'Size'])
    const { facets } = await metadata({ names: ['Rare', 'Nothing'], most: 2 })
    expect(facets).toEqual({ Rare: ['a'], Serial: expect.any(Array) })
    const must = [{ type: 'facet', name: 'Same', value: 'yes' }]
    expect(Object.keys((await metadata({ names: ['Size'] }, { must })).facets)).toEqual([
      'Size',
      'Same',
    ])
  })

  test('are ordered and hidden by the catalog’s settings', async () => {
    const settings = { order: ['Size', 'Same'], hidden: ['Serial'], shown: 3 }
    const path = `PUT /api/Catalog/${shop.catalog}/search/facets`
    await expectOk(shop.org.call(path, { body: settings }))
    const names = async () => Object.keys((await shop.search({})).metadata.facets)
    await expect.poll(names).toEqual(['Size', 'Same', 'Colour'])
    expect(Object.keys((await shop.at('GET', '/metadata')).body.facets)).toEqual(await names())
    const must = [{ type: 'facet', name: 'Serial', value: 'S1' }]
    expect((await shop.search({ must })).metadata.facets).toHaveProperty('Serial')
    await expectOk(shop.org.call(path, { body: {} }))
    await expect.poll(async () => (await names()).length).toBe(5)
  })

  test('keep their order as lists, which objects lose', async () => {
    const { lists, facets } = await metadata({ names: ['Size'], lists: true }, { inStock: false })
    expect(Object.keys(facets)).toEqual(['Size'])
    const sizes = ['1', '10', '2'].map((value) => ({ value, count: 4 }))
    expect(lists).toEqual({
      facets: [{ name: 'Size', values: sizes }],
      manufacturers: ['10', '9', 'Acme'].map((value) => ({ value, count: 4 })),
      vendors: [],
    })
  })

  test('include a tree of category paths of any depth that can be selected', async () => {
    const asked = async (more = {}) => (await metadata({ tree: true }, more)).categoryTree
    const tree = await asked()
    const cordless = {
      ...{ name: 'Cordless', path: 'Tools > Drills > Cordless', count: 6 },
      children: [
        {
          ...{ name: '18 V', path: 'Tools > Drills > Cordless > 18 V', count: 3 },
          children: [
            {
              name: 'Kits',
              path: 'Tools > Drills > Cordless > 18 V > Kits',
              count: 3,
              children: [],
            },
          ],
        },
      ],
    }
    const drills = { name: 'Drills', path: 'Tools > Drills', count: 12, children: [cordless] }
    expect(tree).toEqual([{ name: 'Tools', path: 'Tools', count: 12, children: [drills] }])
    const all: [string, number][] = [
      ['Tools', 12],
      ['Tools > Drills', 12],
      ['Tools > Drills > Cordless', 6],
      ['Tools > Drills > Cordless > 18 V', 3],
      ['Tools > Drills > Cordless > 18 V > Kits', 3],
      ['Tools > Dri', 0],
      ['Drills', 0],
      ['Tools.*', 0],
    ]
    for (const [value, total] of all) {
      const must = [{ type: 'categoryPath', value }]
      expect((await shop.search({ must })).total, value).toBe(total)
    }
    const must = [{ type: 'categoryPath', value: 'Tools > Drills > Cordless > 18 V' }]
    expect(await asked({ must })).toEqual(tree)
  })

  test('are stored with the search, and require metadata', async () => {
    const refused = await shop.at('POST', '', { facets: { most: 1 }, includeMetadata: false })
    expect([refused.status, refused.body.message]).toEqual([
      400,
      'facets: requires includeMetadata',
    ])
    expect((await shop.at('POST', '', { facets: { most: 51 } })).status).toBe(400)
    expect((await shop.at('POST', '', { facets: { name: ['x'] } })).body.message).toMatch(/facets/)
  })
})

describe('ranges', () => {
  let shop: SearchBench
  beforeAll(async () => {
    const costs = [3, 8, 12, 30, 45, 90, 180, 400, 700, 2400]
    shop = await searchBench(
      costs.map((cost, at) => ({
        id: `p${at}`,
        vendors: [
          { vendorName: 'V', cost, inStock: at % 2 === 0 },
          { vendorName: 'W', cost: cost === 12 ? 8 : cost },
        ],
        filters: { Same: 4, Pieces: at + 1, 'Weight (kg)': at / 10 },
        facets: { Colour: at < 5 ? 'Red' : 'Blue' },
      })),
    )
  })
  const ranges = async (more = {}) =>
    (await shop.search({ facets: { ranges: true }, ...more })).metadata.ranges
  type Cut = { min: number; max: number; count: number }
  const cuts = (list: readonly Cut[]) => list.map(({ min, max, count }) => [min, max, count])

  test('have round bounds, and count products', async () => {
    const { price, numbers } = await ranges()
    expect(cuts(price)).toEqual([
      [3, 5, 1],
      [5, 10, 2],
      [10, 50, 3],
      [50, 100, 1],
      [100, 500, 2],
      [500, 1000, 1],
      [1000, 2400, 1],
    ])
    const [pieces, weight, ...others] = numbers
    expect(others).toEqual([])
    expect([pieces.name, pieces.step, pieces.min, pieces.max]).toEqual(['Pieces', 1, 1, 10])
    expect(cuts(pieces.ranges)).toEqual([
      [1, 2, 1],
      [2, 4, 2],
      [4, 6, 2],
      [6, 8, 2],
      [8, 10, 3],
    ])
    expect([weight.name, weight.step]).toEqual(['Weight (kg)', 0.01])
    for (const { min, max, count } of price.slice(0, -1)) {
      const { total } = await shop.search({ lowPrice: min, highPrice: max - 0.001 })
      expect(total).toBe(count)
    }
  })

  test('narrow other facets but not their own', async () => {
    const all = await ranges()
    const chosen = await ranges({ lowPrice: 10, highPrice: 100 })
    expect(chosen.price).toEqual(all.price)
    const sum = (list: readonly Cut[]) => list.reduce((total, { count }) => total + count, 0)
    expect(chosen.numbers.map((number: { ranges: Cut[] }) => sum(number.ranges))).toEqual([4, 4])
    const red = await ranges({ must: [{ type: 'facet', name: 'Colour', value: 'Red' }] })
    expect(sum(red.price)).toBe(6)
    expect(sum((await ranges({ vendors: ['V', 'W'] })).price)).toBe(11)
    const must = [{ type: 'vendor', value: 'W' }]
    expect(cuts((await ranges({ vendors: ['V'], must })).price).slice(0, 3)).toEqual([
      [3, 5, 1],
      [5, 10, 1],
      [10, 50, 2],
    ])
    expect(sum((await ranges({ vendors: ['V'], inStock: true })).price)).toBe(5)
    const nothing = { must: [{ type: 'facet', name: 'Colour', value: 'Green' }] }
    expect(await ranges(nothing)).toEqual({ price: [], numbers: [] })
  })
})
