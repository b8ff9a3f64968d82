import { describe, expect, test } from 'vitest'
import { columnsOf } from '../../../src/formats/rows/mapping.ts'
import { matchHeader } from '../../support/recognized-columns.ts'

const map = (column: number, field: string, attribute: string | null = null) => ({
  column,
  field,
  attribute,
})

describe('mappings of a request', () => {
  test('map columns to product fields, vendor fields and named values', () => {
    expect(
      columnsOf([
        map(0, 'id'),
        map(3, 'vendor.cost'),
        map(4, 'facet', 'Color'),
        map(4, 'attribute', 'Color'),
        map(5, 'filter', 'Weight'),
      ]),
    ).toEqual([
      { index: 0, target: { to: 'product', field: 'id' } },
      { index: 3, target: { to: 'vendor', field: 'cost' } },
      { index: 4, target: { to: 'facet', name: 'Color' } },
      { index: 4, target: { to: 'attribute', name: 'Color' } },
      { index: 5, target: { to: 'filter', name: 'Weight' } },
    ])
  })

  test.each([
    [[map(0, 'colour')], 'mappings[0].field: must be one of id, name'],
    [[map(0, 'vendor.secret')], 'mappings[0].field: must be one of'],
    [[map(0, 'constructor')], 'mappings[0].field: must be one of'],
    [[map(0, 'id'), map(1, 'id')], 'mappings[1].field: id is mapped twice'],
    [[map(0, 'facet', 'A'), map(1, 'facet', 'A')], 'mappings[1].field: facet A is mapped twice'],
    [[map(0, 'attribute')], 'mappings[0].attribute: required; send the name of the attribute'],
    [[map(0, 'facet', '__proto__')], 'mappings[0].attribute: __proto__ is not allowed'],
  ])('that are invalid are refused with their path', (mappings, message) => {
    expect(() => columnsOf(mappings)).toThrow(message)
  })
})

describe('a header row', () => {
  test('is matched ignoring case, accents, spaces and punctuation', () => {
    const { columns } = matchHeader([
      'SKU',
      'Product Name',
      'Manufacturer_Part-Number',
      'EAN',
      'Price',
    ])
    expect(columns).toEqual([
      { index: 0, target: { to: 'product', field: 'id' } },
      { index: 1, target: { to: 'product', field: 'name' } },
      { index: 2, target: { to: 'product', field: 'manufacturerPartNumber' } },
      { index: 3, target: { to: 'product', field: 'upcs' } },
      { index: 4, target: { to: 'vendor', field: 'cost' } },
    ])
  })

  test.each([
    [['SKU', 'Regular price'], 'cost'],
    [['SKU', 'Regular price', 'Price'], 'msrp'],
  ])('uses the regular price as the price if there is no other: %j', (headings, field) => {
    const { target } = matchHeader(headings).columns.find(({ index }) => index === 1)!
    expect(target).toMatchObject({ field })
  })

  test('maps attributes, facets and filters by a prefix', () => {
    expect(matchHeader(['attribute: Screen size', 'Facet:Color', 'filter.Weight']).columns).toEqual(
      [
        { index: 0, target: { to: 'attribute', name: 'Screen size' } },
        { index: 1, target: { to: 'facet', name: 'Color' } },
        { index: 2, target: { to: 'filter', name: 'Weight' } },
      ],
    )
  })

  test('reports duplicate headings, and fills no field by unknown ones', () => {
    const { columns, repeated } = matchHeader([
      'id',
      'foo',
      '',
      'sku',
      'attribute:__proto__',
      'facet: A\u001fB',
      'filter: \ud800',
    ])
    expect(columns.map(({ index }) => index)).toEqual([0])
    expect(repeated).toEqual(['sku'])
  })

  test('with the documented names of fields is matched completely', () => {
    const names = ['vendor.vendorName', 'vendor.onHand', 'vendor.name', 'subCategory', 'upcs']
    const { columns } = matchHeader(names)
    expect(columns.map(({ target }) => ('field' in target ? target.field : ''))).toEqual([
      'vendorName',
      'onHand',
      'name',
      'subCategory',
      'upcs',
    ])
  })
})
