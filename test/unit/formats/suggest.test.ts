import { describe, expect, test } from 'vitest'
import { targetName } from '../../../src/formats/rows/fields.ts'
import { isGtin } from '../../../src/formats/rows/guess-field.ts'
import { looksLikeHeader } from '../../../src/formats/rows/sample-columns.ts'
import { SURE, suggestColumns } from '../../../src/formats/rows/suggest.ts'
import { matchHeader } from '../../support/recognized-columns.ts'

const suggested = (headings: readonly string[] | null, rows: readonly string[][] = []) =>
  suggestColumns(headings, rows).map(({ index, target, confidence }) => [
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
    ['Prezzo ivato', 'vendor.cost'],
    ['Our price', 'vendor.cost'],
    ['Retail price', 'vendor.cost'],
    ['Item #', 'id'],
    ['Prijs exclusief btw', 'vendor.cost'],
    ['Price including VAT', 'vendor.cost'],
    ['VK netto', 'vendor.cost'],
    ['Lagerstand', 'vendor.onHand'],
    ['Maker', 'manufacturer'],
    ['Product group', 'category'],
    ['Manufacurer', 'manufacturer'],
    ['Descritpion', 'description'],
  ])('%s is recognized confidently as %s', (heading, field) => {
    expect(suggested([heading])).toEqual([[0, field, true]])
  })

  test.each(['foo', 'Last price', 'Newprice', 'x'.repeat(10_000)])(
    'that is unknown (%#) becomes an attribute at most',
    (heading) => {
      const [[, field, isSure]] = suggested([heading]) as [[number, string, boolean]]
      expect(field).toMatch(/^attribute /)
      expect(isSure).toBe(false)
    },
  )

  test('for a choice of shoppers becomes a facet, or an option of variants, as in an import', () => {
    expect(suggested(['Farbe'])).toEqual([[0, 'facet Farbe', false]])
    expect(suggested(['Colour', 'groupId'])[0]).toEqual([0, 'option Colour', false])
    expect(suggested(['Colour', 'facet: Colour'])[0]).toEqual([0, 'attribute Colour', false])
  })

  test('maps one column to a field: the more confident one, else the first', () => {
    expect(suggested(['Manufacurer', 'Manufacturer', 'Brand'])).toEqual([[1, 'manufacturer', true]])
  })

  test.each([
    [['EK netto', 'VK brutto'], 1],
    [['Prix d’achat', 'Prix TTC'], 1],
    [['cost_of_goods_sold', 'price'], 1],
    [['Wholesale price', 'Retail price'], 1],
    [['Cost', 'Price'], 1],
    [['Dealer price', 'Price', 'RRP'], 1],
    [['SKU', 'Cost'], 1],
    [['SKU', 'Einkaufspreis'], 1],
  ])('of a purchase price is the price only if there is no other: %j', (headings, at) => {
    const prices = suggested(headings).filter(([, field]) => field === 'vendor.cost')
    expect(prices).toEqual([[at, 'vendor.cost', true]])
  })

  test('that begins with another letter is not a misspelled one', () => {
    expect(suggested(['Stock', 'Min stock'])[1]![1]).toBe('attribute Min stock')
  })

  test('that is only similar is not trusted if its values contradict', () => {
    expect(suggested(['Prices EUR'], [['none'], ['soon']])[0]![2]).toBe(false)
  })
})

describe('values', () => {
  test('are used to recognize a column without a heading', () => {
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

  test('without information suggest nothing', () => {
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
])('a first row of %j contains headings: %s', (cells, isHeader) => {
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

test.each([
  ['Référence;Nom;Prix TTC;Quantité', '1 299,00'],
  ['Referencia;Nombre;Precio (IVA incl.);Existencias', '1.299,00'],
  ['Codice;Nome;Prezzo IVA inclusa;Giacenza', '1.299,00'],
  ['Artikelnummer;Naam;Prijs incl. btw;Voorraad', '1.299,00'],
  ['SKU;Product;Trade price ex VAT;Stock', '1299'],
])('the headings of a small shop are recognized: %s', (headings, price) => {
  const found = matchHeader(headings.split(';'), [['A-1', 'Chair', price, '3']])
  expect(found.columns.map(({ target }) => targetName(target))).toEqual([
    ...['id', 'name', 'vendor.cost', 'vendor.onHand'],
  ])
})

test('what products are called is not the name if another column is better, or it is a number', () => {
  const named = (headings: string, ...cells: string[]) =>
    matchHeader(headings.split(';'), [cells]).columns.map(({ index, target }) => [
      ...[index, targetName(target)],
    ])
  expect(named('SKU;Product;Title', 'A1', 'Desk', 'A desk')).toEqual([
    [0, 'id'],
    [2, 'name'],
  ])
  expect(named('SKU;Product', 'A1', 'DX-100')).toEqual([[0, 'id']])
})

test('an unknown column about money or stock causes a warning', () => {
  const { warnings } = matchHeader(
    ['SKU', 'Our best price', 'Units in warehouse', 'Year'],
    [['A1', '999', '5', '2026']],
  )
  expect(warnings.map((text) => text.replace(/, but was .*/, ''))).toEqual([
    'Column "Our best price" looks like vendor.cost',
    'Column "Units in warehouse" looks like vendor.onHand',
  ])
})

test('a misspelled price that is used causes a warning as well', () => {
  expect(matchHeader(['SKU', 'prcie'], [['A1', '9.90']]).warnings).toEqual([
    'Column "prcie" was imported as vendor.cost. If it is something else, map it.',
  ])
})

test('a column of codes causes no stock warning if no other column is stock', () => {
  const headings = ['SKU', 'Price', 'google_product_category', 'Zollnummer', 'Year']
  const rows = [['A1', '9.90', '1604', '8205', '2026']]
  expect(matchHeader(headings, rows).warnings).toEqual([])
})
