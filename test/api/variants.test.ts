import { beforeAll, describe, expect, test } from 'vitest'
import type { Sketch } from '../support/catalog.ts'
import { expectOk } from '../support/client.ts'
import { exportCatalog } from '../support/exports.ts'
import { importFile, newCatalog, product } from '../support/imports.ts'
import { type SearchBench, searchBench } from '../support/search.ts'

const tee = (colour: string, size: string, cost: number, inStock = true): Sketch => ({
  id: `tee-${colour}-${size}`.toLowerCase(),
  name: `Harbour tee ${colour}`,
  manufacturer: 'Tallow',
  segment: 'Clothing',
  facets: { Fabric: 'Cotton' },
  groupId: 'TEE',
  options: { Colour: colour, Size: size },
  vendors: [{ vendorName: 'Nord', cost, inStock }],
})

let bench: SearchBench
beforeAll(async () => {
  const products = [
    ...['S', 'M', 'XL', '2XL'].map((size, at) => tee('Red', size, 20 + at)),
    tee('Blue', 'M', 15),
    tee('Blue', 'L', 18, false),
    {
      ...{ id: 'poster', name: 'Harbour poster', groupId: 'P' },
      ...{ facets: { Size: 'Large' }, options: { Size: '50 x 70' } },
    },
    { id: 'mug', name: 'Harbour mug', facets: { Colour: 'Red' }, msrp: 9 },
    { id: 'TEE', name: 'Harbour tee gift card', msrp: 50 },
  ]
  bench = await searchBench(products, { idle: false })
})

const grouped = (body: object) => bench.search({ group: true, ...body })
const count = async (body: object) => (await bench.at('POST', '/count', body)).body.count

describe('a search with group', () => {
  test('returns one hit for all variants, with the options that match', async () => {
    const { products, total } = await grouped({ keywords: 'harbour tee' })
    expect(total).toBe(2)
    const [first, second] = products
    expect([first.id, second.id].sort()).toEqual(['TEE', first.id === 'TEE' ? second.id : first.id])
    const hit = products.find(({ groupId }: { groupId?: string }) => groupId === 'TEE')
    expect(hit.group).toEqual({
      id: 'TEE',
      variants: 6,
      options: { Colour: ['Blue', 'Red'], Size: ['S', 'M', 'L', 'XL', '2XL'] },
    })
    const card = products.find(({ id }: { id: string }) => id === 'TEE')
    expect(card.group).toEqual({ id: null, variants: 1, options: {} })
    expect(card).not.toHaveProperty('groupId')
  })

  test('shows the variant that comes first in the order of the search', async () => {
    const cheapest = await grouped({ sort: 'price', segment: 'Clothing' })
    expect(cheapest.products.map(({ id }: { id: string }) => id)).toEqual(['tee-blue-m'])
    const dearest = await grouped({ sort: '-price', segment: 'Clothing' })
    expect(dearest.products[0].id).toBe('tee-red-2xl')
    const blue = await grouped({ keywords: 'blue tee', inStock: true })
    expect(blue.products[0]).toMatchObject({
      id: 'tee-blue-m',
      options: { Colour: 'Blue', Size: 'M' },
      group: { variants: 1, options: { Colour: ['Blue'], Size: ['M'] } },
    })
  })

  test('has options as facets, and counts groups', async () => {
    const must = [{ type: 'facet', name: 'Colour', value: 'Red' }]
    const { products, total, metadata } = await grouped({ must, counts: true })
    expect(total).toBe(2)
    expect(products.map(({ id }: { id: string }) => id)).toContain('mug')
    expect(metadata.counts.facets).toMatchObject({
      Colour: { Red: 2, Blue: 1 },
      Size: { S: 1, M: 1, XL: 1, '2XL': 1 },
      Fabric: { Cotton: 1 },
    })
    expect(metadata.counts.manufacturers).toEqual({ Tallow: 1 })
    const tees = products.find(({ groupId }: { groupId?: string }) => groupId === 'TEE')
    expect(tees.group).toMatchObject({ variants: 4, options: { Colour: ['Red'] } })

    // A facet and an option of the same name both count.
    for (const value of ['Large', '50 x 70']) {
      const found = await bench.search({
        must: [{ type: 'facet', name: 'Size', value }],
        counts: true,
      })
      expect(found.products.map(({ id }: { id: string }) => id)).toEqual(['poster'])
      expect(found.metadata.counts.facets.Size).toMatchObject({ Large: 1, '50 x 70': 1 })
    }

    const priced = await grouped({ highPrice: 22, counts: true, facetSearch: { type: 'vendor' } })
    expect(priced.metadata.counts.vendors).toEqual({ Nord: 1 })
    expect(priced.metadata.facetSearch).toEqual({ Nord: 1 })
    const products4 = await bench.search({ must, counts: true })
    expect(products4.metadata.counts.facets.Colour).toEqual({ Red: 5, Blue: 2 })
  })

  test('counts and pages by group, also if a word is misspelled', async () => {
    expect(await count({ group: true })).toBe(4)
    expect(await count({})).toBe(9)
    expect(await count({ group: true, keywords: 'harbuor' })).toBe(4)
    const pages = await Promise.all(
      [0, 1, 2, 3, 4].map((page) => grouped({ page, pageSize: 1, keywords: 'harbuor' })),
    )
    expect(pages.map(({ total }) => total)).toEqual([4, 4, 4, 4, 4])
    const ids = pages.flatMap(({ products }) =>
      products.map(({ group, id }: { group: { id: string | null }; id: string }) => group.id ?? id),
    )
    expect(ids.toSorted()).toEqual(['P', 'TEE', 'TEE', 'mug'])
  })

  test('has the options of all variants of large groups, and the total of many groups', async () => {
    const sizes = Array.from({ length: 40 }, (_, at) => `${at + 1}`)
    const shoes = sizes.map((Size) => ({ id: `shoe${Size}`, groupId: 'SHOE', options: { Size } }))
    const others = Array.from({ length: 249 }, (_, at) => ({ id: `p${at}`, groupId: `g${at}` }))
    const { search } = await searchBench([...shoes, ...others])
    const { total, products } = await search({ group: true, pageSize: 250 })
    const shoe = products.find(({ groupId }: { groupId: string }) => groupId === 'SHOE')
    expect([total, shoe.group]).toEqual([
      250,
      { id: 'SHOE', variants: 40, options: { Size: sizes } },
    ])
  })

  test('is refused for a walk, with an alternative', async () => {
    const { status, body } = await bench.at('POST', '', { group: true, cursor: '*' })
    expect([status, body.message]).toEqual([
      400,
      'group: cannot be combined with cursor; use page, or omit group and group the products by groupId yourself',
    ])
  })

  test('costs one more request, and none if no hit is a variant', async () => {
    const cost = (body: object) => bench.trips(() => grouped({ includeMetadata: false, ...body }))
    expect(await cost({ segment: 'Clothing', highPrice: 1_000_001 })).toBe(2)
    expect(await cost({ highPrice: 10 })).toBe(1)
  })
})

describe('the group and the options of a product', () => {
  const at = (id: string) => `/api/Catalog/c/products/${id}`

  test('are stored, changed, logged, restored and copied', async () => {
    const { call } = bench.org
    await newCatalog(bench.org)
    await newCatalog(bench.org, 'd')
    const body = { id: 'v1', name: 'Vase', groupId: 'VASE', options: { Size: 'S', Colour: 'Red' } }
    await expectOk(call('POST /api/Catalog/c/products', { body }))
    expect(await product(call, 'v1')).toMatchObject({ groupId: 'VASE', options: body.options })
    await expectOk(call(`PUT ${at('v1')}`, { body: { options: { Size: 'M', Colour: 'Red' } } }))
    const [change, creation] = (await expectOk(call(`GET ${at('v1')}/logs`))).body.items
    expect(change.changes).toEqual([
      { field: 'options', before: { Size: 'S' }, after: { Size: 'M' } },
    ])
    expect(creation.fieldsUpdated).toEqual(['name', 'groupId', 'options'])
    await expectOk(call(`POST ${at('v1')}/logs/${change.id}/restore`))
    expect(await product(call, 'v1')).toMatchObject({ options: body.options })

    await expectOk(call('POST /api/Catalog/d/products', { body: { ...body, name: 'Old' } }))
    await expectOk(call(`PUT ${at('v1')}`, { body: { groupId: null, options: null } }))
    const single = await product(call, 'v1')
    expect(single).not.toHaveProperty('groupId')
    expect(single).not.toHaveProperty('options')
    await expectOk(call(`POST ${at('v1')}/copyToCatalog/d`))
    expect(await product(call, 'v1', 'd')).not.toHaveProperty('groupId')

    const many = Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`o${n}`, 'x']))
    const refused = await call(`PUT ${at('v1')}`, { body: { options: many } })
    expect([refused.status, refused.body.message]).toEqual([400, 'options: more than 20 names'])
  })

  test('can be imported from csv and exported to it', async () => {
    const { call } = bench.org
    const csv = [
      'SKU,Name,parent sku,option:Size,Option: Colour',
      'b1,Boot,BOOT,41,Black',
      'b2,Boot,BOOT,42,',
    ].join('\n')
    expect(await importFile(call, csv)).toMatchObject({ created: 2, rejected: 0 })
    expect(await product(call, 'b1')).toMatchObject({
      groupId: 'BOOT',
      options: { Size: '41', Colour: 'Black' },
    })
    const { text } = await exportCatalog(call, 'csv', { catalog: 'c' })
    const [headings, , b2] = text.split('\r\n')
    expect(headings).toMatch(/vendor\.status,groupId,option:Colour,option:Size$/)
    expect(b2).toMatch(/^b2,.*,BOOT,,42$/)
    const again = await importFile(call, text, { name: 'again.csv' })
    expect(again).toMatchObject({ unchanged: 3, rejected: 0 })
    const { text: lines } = await exportCatalog(call, 'jsonl', { catalog: 'c' })
    expect(await importFile(call, lines, { name: 'a.jsonl' })).toMatchObject({ unchanged: 3 })
  })
})
