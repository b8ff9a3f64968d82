import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import products from '../../../index-mappings/products.json' with { type: 'json' }
import { limits } from '../../../src/limits.ts'
import { catalogWord } from '../../../src/products/catalog-words.ts'
import type { Annotations } from '../../../src/products/product.ts'
import { searchFields } from '../../../src/products/search-fields.ts'
import { SEPARATOR } from '../../../src/text.ts'
import { document, offer } from './make.ts'

const plain = (value: unknown) => JSON.parse(JSON.stringify(value))

/** A text of the longest, with characters that take most bytes or grow most when folded. */
const longest = (length: number) => 'ﷺ'.repeat(length)
const name = longest(limits.nameLength)
const value = longest(limits.valueLength)
const named = { [name]: value }

test('what Elasticsearch counts or sorts by is bounded, however long names and values are', () => {
  const offers = [offer(name, { cost: 1, inStock: true, vendorPartNumber: name })]
  const texts = { manufacturer: name, manufacturerPartNumber: name, unspsc: name, groupId: name }
  const path = { segment: name, category: name, subCategory: name }
  const maps = { facets: named, attributes: named, options: named, filters: { [name]: 1 } }
  const parts = { name: longest(limits.productNameLength), vendors: offers, upcs: [name] }
  const fields = searchFields(document({ ...texts, ...path, ...maps, ...parts }), 'org/shop')
  const counted = Object.entries<object>(products.mappings.properties.search.properties)
    .filter(([, one]) => 'type' in one && one.type === 'keyword' && !('doc_values' in one))
    .map(([field]) => field as keyof typeof fields)
  expect(counted).toEqual(expect.arrayContaining(['facets', 'attributes', 'options', 'quick']))
  const longestOf = (field: keyof typeof fields) =>
    Math.max(0, ...[fields[field]].flat().map((term) => Buffer.byteLength(`${term ?? ''}`)))
  const { path: longestPath, ...others } = Object.fromEntries(
    counted.map((field) => [field, longestOf(field)]),
  )
  const longestName = 3 * limits.nameLength
  expect(longestPath).toBe(3 * longestName + 2)
  // A name, a value and its folded text, or a manufacturer and its folded text with its kind.
  expect(Math.max(...Object.values(others))).toBeLessThan(longestName + 2 * limits.termBytes + 4)
})

describe('searchFields', () => {
  test('of a product with everything', () => {
    const drill = document(
      {
        id: 'DR-18',
        name: 'GSR 18V-55',
        description: 'A cordless drill.',
        manufacturer: 'Bosch GmbH',
        manufacturerPartNumber: '06019H-4000',
        unspsc: '27112703',
        segment: 'Tools',
        category: 'Power tools',
        subCategory: 'Drills',
        msrp: 189.5,
        vendors: [
          offer('Acme', { cost: 120, inStock: true, vendorPartNumber: 'A.1', name: 'Akku drill' }),
          offer('Zeta', { cost: 118.25 }),
          offer('Mute', { inStock: true }),
        ],
        attributes: { Voltage: '18 V', Brushless: 'Yes' },
        facets: { Color: 'blue' },
        filters: { Weight: 1.1 },
        upcs: ['0316-5140'],
      },
      {
        org: {
          favorite: true,
          favoriteUsers: ['ann'],
          tags: ['new'],
          userTags: { ann: ['mine'] },
          extensionFields: [{ extensionId: 'erp', key: 'sku', value: '7' }],
        },
      },
    )
    expect(plain(searchFields(drill, 'org/shop'))).toEqual({
      id: 'DR-18',
      nameSort: catalogWord('org/shop', 'GSR 18V-55'),
      updated: Date.parse('2026-01-02T03:04:05Z'),
      name: 'GSR 18V-55',
      description: 'A cordless drill.',
      text: [
        'Bosch GmbH',
        '06019H-4000',
        'Tools',
        'Power tools',
        'Drills',
        'Akku drill',
        '18 V',
        'Brushless',
        'blue',
      ],
      words: [
        'gsr',
        'bosch',
        'gmbh',
        'tools',
        'tool',
        'power',
        'drills',
        'drill',
        'akku',
        'brushless',
        'blue',
      ].map((word) => catalogWord('org/shop', word)),
      roles: expect.arrayContaining(
        ['type\u001fdrill', 'brand\u001fbosch'].map((term) => catalogWord('org/shop', term)),
      ),
      measures: ['18v'],
      length: 5,
      partNumbers: ['dr18', '06019h4000', '6019h4000', 'a1', '03165140', '3165140'].map((number) =>
        catalogWord('org/shop', number),
      ),
      msrp: 189.5,
      catalogNumbers: ['dr18', '06019h4000', '6019h4000', '03165140', '3165140'].map((number) =>
        catalogWord('org/shop', number),
      ),
      quick: [
        'm\u001fbosch gmbh\u001fBosch GmbH',
        'c\u001ftools\u001fTools',
        'c\u001fpower tools\u001fPower tools',
        'c\u001fdrills\u001fDrills',
      ],
      manufacturer: 'Bosch GmbH',
      manufacturerPartNumber: catalogWord('org/shop', '06019h4000\u001f06019H-4000'),
      segment: 'Tools',
      category: 'Power tools',
      subCategory: 'Drills',
      path: 'Tools\u001fPower tools\u001fDrills',
      categoryPaths: ['Tools', 'Tools > Power tools', 'Tools > Power tools > Drills'],
      unspsc: catalogWord('org/shop', '27112703'),
      group: '\u001fDR-18',
      price: 118.25,
      prices: [120, 118.25],
      stockPrices: [120],
      inStock: true,
      vendors: ['Acme\u001facme', 'Zeta\u001fzeta', 'Mute\u001fmute'],
      stockVendors: ['Acme\u001facme', 'Mute\u001fmute'],
      offers: [
        { vendor: 'Acme\u001facme', price: 120, inStock: true },
        { vendor: 'Zeta\u001fzeta', price: 118.25, inStock: false },
        { vendor: 'Mute\u001fmute', inStock: true },
      ],
      facets: ['Color\u001fblue'],
      facetNames: ['Color'],
      attributes: ['Voltage\u001f18 V\u001f18 v', 'Brushless\u001fYes\u001fyes'],
      numbers: [{ name: 'Weight', value: 1.1 }],
      favorites: ['org\u001fcompany', 'org\u001fuser\u001fann'],
      tags: ['org\u001fnew'],
      userTags: ['org\u001fann\u001fmine'],
      fields: ['org\u001ferp/sku\u001f7'],
    })
  })

  test('of a product with only an id', () => {
    const fields = plain(searchFields(document(), 'org/shop'))
    expect(fields).toMatchObject({
      id: 'p',
      partNumbers: [catalogWord('org/shop', 'p')],
      inStock: false,
      offers: [],
    })
    for (const absent of ['name', 'path', 'price', 'pending', 'manufacturer']) {
      expect(fields).not.toHaveProperty(absent)
    }
  })

  test('without offers, the msrp is the price, from no vendor', () => {
    expect(searchFields(document({ msrp: 10 }), 'org/shop')).toMatchObject({
      price: 10,
      prices: [10],
      stockPrices: [],
      vendors: [],
      offers: [{ price: 10, inStock: false }],
    })
  })

  test('if no offer has a cost, the msrp is the price of each', () => {
    const vendors = [offer('Acme', { inStock: true }), offer('Zeta')]
    expect(searchFields(document({ msrp: 10, vendors }), 'org/shop')).toMatchObject({
      price: 10,
      prices: [10, 10],
      stockPrices: [10],
      stockVendors: ['Acme\u001facme'],
      offers: [
        { vendor: 'Acme\u001facme', price: 10, inStock: true },
        { vendor: 'Zeta\u001fzeta', price: 10, inStock: false },
      ],
    })
  })

  test('if an offer has a cost, the msrp is not the price', () => {
    const vendors = [offer('Acme'), offer('Zeta', { cost: 50 })]
    expect(searchFields(document({ msrp: 10, vendors }), 'org/shop')).toMatchObject({
      price: 50,
      prices: [50],
      offers: [{ vendor: 'Acme\u001facme', inStock: false }, { price: 50 }],
    })
  })

  test('a product with pending log entries is marked', () => {
    const entry = {
      id: 'e',
      catalog: 'c',
      productId: 'p',
      version: 2,
      updatedBy: 'x',
      source: 'api' as const,
      timestamp: '2026-01-02T03:04:05Z',
      changes: [],
    }
    expect(searchFields({ ...document(), pending: [entry] }, 'org/shop').pending).toBe(true)
  })
})

test('a facet and an option of the same name are both found and counted', () => {
  const facets = { Size: 'Large', Fabric: 'Linen' }
  const poster = document({ facets, groupId: 'P', options: { Size: '50 x 70', Fabric: 'Linen' } })
  const fields = searchFields(poster, 'org/shop')
  expect(fields.facets).toEqual([
    ...['Size\u001fLarge\u001flarge', 'Fabric\u001fLinen\u001flinen', 'Size\u001f50 x 70'],
  ])
  expect(fields.facetNames).toEqual(['Size', 'Fabric'])
  expect(fields.text).toEqual(expect.arrayContaining(['Large', '50 x 70', 'Linen']))
})

describe('annotations of organizations', () => {
  const name = fc.string({ minLength: 1, maxLength: 20 }).filter((text) => !text.includes('\u001f'))
  const annotations = fc.record<Partial<Annotations>>({
    favorite: fc.boolean(),
    favoriteUsers: fc.array(name),
    tags: fc.array(name),
    userTags: fc.dictionary(name, fc.array(name)),
    extensionFields: fc.array(fc.record({ extensionId: name, key: name, value: name })),
  })
  const tokens = (fields: ReturnType<typeof searchFields>) => [
    ...fields.favorites,
    ...fields.tags,
    ...fields.userTags,
    ...fields.fields,
  ]

  test('start every token with their organization, and touch no other data', () => {
    fc.assert(
      fc.property(annotations, annotations, (first, second) => {
        const both = searchFields(document({}, { one: first, two: second }), 'org/shop')
        const all = tokens(both)
        const owned = all.filter((text) => ['one', 'two'].includes(text.split(SEPARATOR)[0]!))
        expect(owned).toEqual(all)
        const alone = tokens(searchFields(document({}, { two: second }), 'org/shop'))
        expect(all.filter((text) => text.startsWith('two\u001f'))).toEqual(alone)
        expect(both.text).toEqual(searchFields(document(), 'org/shop').text)
      }),
    )
  })
})
