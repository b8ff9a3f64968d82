import { describe, expect, test } from 'vitest'
import { jsonRow } from '../../../src/formats/jsonl/product-line.ts'
import { createTally } from '../../../src/formats/rows/column-tally.ts'
import { mappedRow, type RowFormat } from '../../../src/formats/rows/mapped-row.ts'
import { matchHeader } from '../../support/recognized-columns.ts'

const format = (header: string, more: Partial<RowFormat> = {}): RowFormat => ({
  columns: matchHeader(header.split(',')).columns,
  decimal: '.',
  vendor: null,
  ...more,
})

const row = (header: string, cells: readonly string[], more: Partial<RowFormat> = {}) =>
  mappedRow(cells, format(header, more))

describe('a row of cells', () => {
  test('has no UPC that a spreadsheet rounded, and no id or part number', () => {
    const upcs = (cell: string) => row('id,ean', ['A', cell]).patch.upcs
    for (const cell of ['4,00638E+12', '4.00638E+12', '4E+12', "'4,00638E+12"]) {
      expect(upcs(cell)).toBeUndefined()
    }
    expect(upcs('4,00638E+12|4006381333931')).toEqual(['4006381333931'])
    for (const heading of ['id', 'mpn', 'groupId']) {
      expect(() => row(`name,${heading}`, ['x', '4,00638E+12'])).toThrow(
        '"4,00638E+12" is a number that a spreadsheet rounded',
      )
    }
    expect(row('id,mpn', ['12E5', '3E-10']).patch.manufacturerPartNumber).toBe('3E-10')
  })

  test('becomes a change of a product and an offer', () => {
    expect(
      row('id,name,list price,vendor,price,stock,upc,facet:Color,filter:Weight', [
        ' A1 ',
        'Desk',
        '$1,200.00',
        'Acme',
        '999',
        '3',
        '123|456',
        'red',
        '12.5',
      ]),
    ).toEqual({
      id: 'A1',
      patch: { name: 'Desk', msrp: 1200, upcs: ['123', '456'] },
      facets: { Color: 'red' },
      filters: { Weight: 12.5 },
      offers: [{ vendorName: 'Acme', cost: 999, onHand: 3 }],
    })
  })

  test('does not change fields with an empty or a missing cell', () => {
    expect(row('id,name,description,facet:Color', ['1', '', '  '])).toEqual({
      id: '1',
      patch: {},
      offers: [],
    })
  })

  test('is an offer of the vendor of the request unless it names its own', () => {
    expect(row('id,cost', ['1', '2'], { vendor: 'Acme' }).offers).toEqual([
      { vendorName: 'Acme', cost: 2 },
    ])
    expect(row('id,vendor,cost', ['1', 'Own', '2'], { vendor: 'Acme' }).offers).toEqual([
      { vendorName: 'Own', cost: 2 },
    ])
  })

  test('with a price and no vendor is an offer of the fallback vendor, one without a price is none', () => {
    const nobody = { vendor: null, fallbackVendor: 'Our shop' }
    expect(row('id,cost', ['1', '2'], nobody).offers).toEqual([{ vendorName: 'Our shop', cost: 2 }])
    expect(row('id,cost', ['1', ''], nobody).offers).toEqual([])
  })

  test.each([
    ['id,cost', ['1', 'abc'], 'vendor.cost: "abc" is not a number'],
    ['id,msrp', ['1', '-5'], 'msrp: "-5" is less than 0'],
    ['id,msrp', ['1', '1e999'], 'msrp: "1e999" is not a number'],
    ['id,in stock', ['1', 'maybe'], 'vendor.inStock: "maybe" is not yes or no'],
    ['id,cost', ['1', '2'], 'vendor.cost: the row names no vendor'],
    ['id,manufacturer', ['1', 'x'.repeat(201)], 'manufacturer: longer than 200 characters'],
    ['id,name', ['1', 'a\u0000b'], 'name: control characters are not allowed'],
    ['id,facet:C', ['1', 'a\u001fb'], 'facet C: control characters are not allowed'],
    ['id', ['..'], 'id: must not be . or ..'],
  ])('that is invalid is refused with the field: %s %j', (header, cells, reason) => {
    expect(() => row(header, cells)).toThrow(reason)
  })
})

describe('a line of JSON', () => {
  test('is a product as the API returns it', () => {
    const line =
      '{"id":"A1","name":"Desk","msrp":12,"favorite":{"user":true},"vendors":[{"vendorName":"Acme","cost":9,"onHand":2}],"facets":{"Color":"red"}}'
    const { id, patch, offers } = jsonRow(line)
    expect(id).toBe('A1')
    expect(JSON.parse(JSON.stringify(patch))).toEqual({
      name: 'Desk',
      msrp: 12,
      facets: { Color: 'red' },
    })
    expect(offers).toEqual([
      {
        vendorName: 'Acme',
        cost: 9,
        onHand: 2,
        inStock: true,
        vendorPartNumber: null,
        status: null,
        name: null,
      },
    ])
  })

  test('can have any number of brackets in its strings', () => {
    const description = '[{'.repeat(40)
    expect(jsonRow(JSON.stringify({ id: 'x', description })).patch.description).toBe(description)
  })

  test.each([
    ['{', 'not valid JSON'],
    ['[]', 'the line must be a JSON object with one product'],
    ['null', 'the line must be a JSON object with one product'],
    ['{"msrp":"12"}', 'msrp: expected number'],
    ['{"name":"a\\u0000"}', 'product.name: control characters'],
    ['{"attributes":{"__proto__":"x"}}', '__proto__ is not allowed'],
    [`${'{"a":'.repeat(40)}1${'}'.repeat(40)}`, 'nested deeper than 32'],
    [`{"upcs":[${'1,'.repeat(30_000)}1]}`, 'product: more than 30000 values'],
    ['{"msrp":1e999}', 'msrp'],
  ])('that is invalid is refused: %s', (text, reason) => {
    expect(() => jsonRow(text)).toThrow(reason)
  })
})

test('values of a column are counted once for each row, also with rows on one line', () => {
  const tally = createTally([], 2)
  const [first, ...others] = [1, 1, 1, 2].map((line) => ({ line, text: '' }))
  const count = (row = first!) => tally.count(row, ['x', row === first ? 'y' : ''])
  expect([count(), ...others.map(count)]).toEqual([true, true, true, true])
  expect([count(), ...others.map(count)]).toEqual([false, false, false, false])
  expect(tally.values()).toEqual([4, 1])
})
