import { beforeAll, describe, expect, test } from 'vitest'
import { caller, newOrganization } from '../support/client.ts'
import { type SearchBench, searchBench } from '../support/search.ts'

let bench: SearchBench
beforeAll(async () => {
  bench = await searchBench((org) => [
    {
      id: 'hit',
      groupId: 'DESK',
      name: 'Zebra desk',
      manufacturer: 'Acme',
      manufacturerPartNumber: 'AB-12/3',
      segment: 'Rooms',
      category: 'Desks',
      subCategory: 'Oak desks',
      unspsc: '56101703',
      attributes: { Material: 'Oak' },
      facets: { Colour: 'Brown' },
      upcs: ['0012345678905'],
      vendors: [{ vendorName: 'Alpha', cost: 5, inStock: true, vendorPartNumber: 'V 9-9' }],
      annotations: {
        [org.id]: {
          favorite: true,
          favoriteUsers: ['administrator'],
          tags: ['hot'],
          userTags: { administrator: ['mine'] },
          extensionFields: [{ extensionId: 'erp', key: 'group', value: 'G1' }],
        },
      },
    },
    {
      id: 'miss',
      groupId: 'CHAIR',
      name: 'Able chair',
      manufacturer: 'Bolt',
      manufacturerPartNumber: 'AB-12/4',
      segment: 'Halls',
      category: 'Chairs',
      subCategory: 'Oak chairs',
      unspsc: '56111703',
      attributes: { Material: 'Steel' },
      facets: { Colour: 'Oak', Material: 'Oak' },
      vendors: [{ vendorName: 'Beta', cost: 5, inStock: true }],
      annotations: {
        'another-organization': {
          favorite: true,
          favoriteUsers: ['administrator'],
          tags: ['hot'],
          userTags: { administrator: ['mine'] },
          extensionFields: [{ extensionId: 'erp', key: 'group', value: 'G1' }],
        },
        [org.id]: { userTags: { viewer: ['mine'] }, favoriteUsers: ['viewer'] },
      },
    },
  ])
})

const CRITERIA = [
  { type: 'manufacturer', value: 'Acme' },
  { type: 'vendor', value: 'Alpha' },
  { type: 'segment', value: 'Rooms' },
  { type: 'category', value: 'Desks' },
  { type: 'subCategory', value: 'Oak desks' },
  { type: 'tag', value: 'hot' },
  { type: 'tag', value: 'mine' },
  { type: 'unspsc', value: '56101703' },
  { type: 'unspsc', value: '56101700' },
  { type: 'unspsc', value: '56100000' },
  { type: 'partNumber', value: 'ab123' },
  { type: 'partNumber', value: 'AB 12.3' },
  { type: 'partNumber', value: 'v99' },
  { type: 'partNumber', value: '12345678905' },
  { type: 'partNumber', value: 'HIT' },
  { type: 'attribute', name: 'Material', value: 'Oak' },
  { type: 'groupId', value: 'DESK' },
  { type: 'facet', name: 'Colour', value: 'Brown' },
  { type: 'extensionField', name: 'erp/group', value: 'G1' },
  { type: 'favorite', value: 'user' },
  { type: 'favorite', value: 'company' },
  { type: 'keyword', value: 'oak desk' },
  { type: 'keyword', value: 'AB123' },
]

describe.each(CRITERIA)('$type $name $value', (criterion) => {
  test('must', async () => {
    expect(await bench.ids({ must: [criterion] })).toEqual(['hit'])
  })

  test('exclude', async () => {
    expect(await bench.ids({ exclude: [criterion] })).toEqual(['miss'])
  })

  test('boost', async () => {
    expect(await bench.ids({})).toEqual(['miss', 'hit'])
    expect(await bench.ids({ boost: [criterion] })).toEqual(['hit', 'miss'])
    expect(await bench.ids({ boost: [criterion], sort: 'name' })).toEqual(['miss', 'hit'])
  })

  test('is counted alike', async () => {
    const { body } = await bench.at('POST', '/count', { must: [criterion] })
    expect(body).toEqual({ count: 1, catalog: bench.catalog })
  })
})

describe('combined criteria', () => {
  const colour = (value: string) => ({ type: 'facet', name: 'Colour', value })

  test('are alternatives if type and name are equal, otherwise all must match', async () => {
    expect(await bench.ids({ must: [colour('Brown'), colour('Oak')] })).toHaveLength(2)
    const material = { type: 'facet', name: 'Material', value: 'Oak' }
    expect(await bench.ids({ must: [colour('Brown'), colour('Oak'), material] })).toEqual(['miss'])
  })

  test('and the equivalent field must both match', async () => {
    const must = [{ type: 'manufacturer', value: 'Acme' }]
    expect(await bench.ids({ manufacturer: ['Acme', 'Bolt'], must })).toEqual(['hit'])
    expect(await bench.ids({ manufacturer: ['Bolt'], must })).toEqual([])
  })

  test('exclude takes precedence over must', async () => {
    const acme = { type: 'manufacturer', value: 'Acme' }
    expect(await bench.ids({ must: [acme], exclude: [acme] })).toEqual([])
  })

  test('with an invalid path find nothing', async () => {
    for (const value of [' > '.repeat(200), ' > '.repeat(600), 'a > '.repeat(150)]) {
      expect(await bench.ids({ must: [{ type: 'categoryPath', value }] })).toEqual([])
    }
  })

  test('match exactly', async () => {
    expect(await bench.ids({ manufacturer: ['acme'] })).toEqual([])
    expect(await bench.ids({ category: 'Desk' })).toEqual([])
  })

  test('never boost above an exact part number', async () => {
    const boost = [
      { type: 'manufacturer', value: 'Bolt' },
      { type: 'vendor', value: 'Beta' },
      { type: 'category', value: 'Chairs' },
    ]
    // Both part numbers begin with it; one equals it.
    expect(await bench.ids({ keywords: 'ab12', boost })).toEqual(['miss', 'hit'])
    expect(await bench.ids({ keywords: 'ab123', boost })).toEqual(['hit'])
    const both = { keywords: 'oak', boost }
    expect(await bench.ids(both)).toEqual(['miss', 'hit'])
  })
})

describe('annotations in criteria', () => {
  const mine = { must: [{ type: 'tag', value: 'mine' }] }
  const favorite = { must: [{ type: 'favorite', value: 'user' }] }

  test('of users are private', async () => {
    const viewer = await bench.org.as('viewer')
    for (const body of [mine, favorite]) {
      const { body: answer } = await bench.at('POST', '', body, viewer)
      expect(answer.products.map(({ id }: { id: string }) => id)).toEqual(['miss'])
    }
  })

  test('belong to the organization in effect, even if a parent owns the catalog', async () => {
    const child = await newOrganization(bench.service, bench.org.id)
    const tagged = { must: [{ type: 'tag', value: 'hot' }] }
    expect((await bench.at('POST', '', tagged, child.call)).body.total).toBe(0)
  })

  test.each([
    { must: [{ type: 'tag', value: 'hot' }] },
    { exclude: [{ type: 'extensionField', name: 'erp/group', value: 'G1' }] },
    { boost: [{ type: 'favorite', value: 'user' }] },
    { sort: 'favorite' },
  ])('cannot be searched for with a search key: %j', async (body) => {
    const key = await bench.org.key('viewer', 'search')
    for (const path of ['', '/simple', '/count']) {
      const answer = await bench.at('POST', path, body, caller(bench.service, { key }))
      expect(answer.status).toBe(403)
      expect(answer.body.message).toMatch(/^A key of type search cannot use /)
    }
  })
})
