import { describe, expect, test } from 'vitest'
import { targetName } from '../../../src/formats/rows/fields.ts'
import { isGtin } from '../../../src/formats/rows/guess-field.ts'
import { looksLikeHeader } from '../../../src/formats/rows/sample-columns.ts'
import { SURE, suggest } from '../../../src/formats/rows/suggest.ts'

const suggested = (headings: readonly string[] | null, rows: readonly string[][] = []) =>
  suggest(headings, rows).map(({ index, target, confidence }) => [
    index,
    targetName(target),
    confidence >= SURE,
  ])

describe('a heading', () => {
  test.each([
    ['Herstellernummer', 'manufacturerPartNumber'],
    ['Herst.-Art.-Nr.', 'manufacturerPartNumber'],
    ['Mfr. Part No.', 'manufacturerPartNumber'],
    ['Manufacturer Part Num', 'manufacturerPartNumber'],
    ['Net price (EUR)', 'vendor.cost'],
    ['Preis netto in EUR', 'vendor.cost'],
    ['UVP inkl. MwSt.', 'msrp'],
    ['Lief.-Art.-Nr.', 'vendor.vendorPartNumber'],
    ['Verfügbarkeit', 'vendor.status'],
    ['Qty on hand', 'vendor.onHand'],
    ['Beschreibung DE', 'description'],
    ['EAN/GTIN', 'upcs'],
    ['Mfr Part #', 'manufacturerPartNumber'],
    ['Netto-EK', 'vendor.cost'],
    ['Verfügbare Menge', 'vendor.onHand'],
    ['Kurzbezeichnung', 'name'],
    ['Manufacurer', 'manufacturer'],
    ['Descritpion', 'description'],
  ])('%s is sure to be %s', (heading, field) => {
    expect(suggested([heading])).toEqual([[0, field, true]])
  })

  test.each(['foo', 'Colour', 'Last price', 'Newprice', 'x'.repeat(10_000)])(
    'that is not known (%#) is an attribute at most',
    (heading) => {
      const [[, field, isSure]] = suggested([heading]) as [[number, string, boolean]]
      expect(field).toMatch(/^attribute /)
      expect(isSure).toBe(false)
    },
  )

  test('goes to one column; what is surer wins, then what comes first', () => {
    expect(suggested(['Manufacurer', 'Manufacturer', 'Brand'])).toEqual([[1, 'manufacturer', true]])
  })

  test('that is only nearly known is not believed against its values', () => {
    expect(suggested(['Prices EUR'], [['none'], ['soon']])[0]![2]).toBe(false)
  })
})

describe('values', () => {
  test('say what a column without heading is', () => {
    const rows = [
      ['4006381333931', 'https://a.example/1.png', '12.50', 'HX-20/B', '17'],
      ['036000291452', 'https://a.example/2.png', '1,299.00', 'HX-21/B', '4'],
    ]
    expect(suggested(null, rows).map(([, field]) => field)).toEqual([
      'upcs',
      'image',
      'vendor.cost',
      'manufacturerPartNumber',
      'vendor.onHand',
    ])
    expect(suggested(null, rows).every(([, , isSure]) => !isSure)).toBe(true)
  })

  test('nothing says nothing', () => {
    expect(suggested(null, [['', ' ']])).toEqual([])
    expect(suggested([], [])).toEqual([])
  })
})

test.each([
  ['4006381333931', true],
  ['4006381333932', false],
  ['036000291452', true],
  ['96385074', true],
  ['10614141000415', true],
  ['123', false],
  ['', false],
])('the check digit of %s is right: %s', (text, isRight) => {
  expect(isGtin(text)).toBe(isRight)
})

test.each([
  [['SKU', 'Name'], true],
  [['foo', 'bar'], true],
  [['1', 'desk'], false],
  [['desk', '4006381333931'], false],
])('a first row of %j names columns: %s', (cells, isHeader) => {
  expect(looksLikeHeader(cells)).toBe(isHeader)
})

describe('a misspelt price or stock', () => {
  test.each([
    ['prcie', 'vendor.cost', ['12.50', '9.00']],
    ['stok', 'vendor.onHand', ['3', '0']],
    ['Priess', 'attribute', ['12.50', '9.00']],
    ['rice', 'attribute', ['12.50', '9.00']],
    ['Priec', 'vendor.cost', ['12.50', '9.00']],
  ])('%s is %s', (heading, field, values) => {
    const [found] = suggested(
      [heading],
      values.map((value) => [value]),
    )
    const isSure = field !== 'attribute'
    expect([found![1] === field, found![2]]).toEqual([isSure, isSure])
  })
})
