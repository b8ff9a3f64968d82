import { describe, expect, test } from 'vitest'
import { csv } from '../../../src/formats/csv/format.ts'
import { findHeadings } from '../../../src/formats/rows/table-headings.ts'
import { xlsx } from '../../../src/formats/xlsx/format.ts'
import { openRows } from '../../support/open-rows.ts'
import { sheetRows, xlsxFile } from '../../support/xlsx-file.ts'

const LIST = [
  'Nordwerk GmbH, Hafenstr. 5, Hamburg',
  'Preisliste, gültig ab 1.1.2026, netto',
  '',
  'Artikelnummer;Bezeichnung;Preis;Bestand',
  'A1;Tisch;12,50;3',
  'Zwischensumme;;12,50;',
  'Artikelnummer;Bezeichnung;Preis;Bestand',
  'A2;Stuhl;9,90;0',
  'Gesamt:;;22,40;',
].join('\n')

test('headings are found below a letterhead, and totals and repeated headings are skipped', async () => {
  const { file, changes, refused, warnings } = await openRows(csv, LIST)
  expect(changes.map(({ id, offers }) => [id, offers[0]?.cost])).toEqual([
    ['A1', 12.5],
    ['A2', 9.9],
  ])
  expect({ refused, headingLine: file.headingLine }).toEqual({ refused: [], headingLine: 4 })
  expect(file.notes).toContain('Headings found in row 4.')
  expect(warnings).toEqual(['Rows with totals or repeated headings skipped: 3.'])
})

test('so are merged headings in a workbook', async () => {
  const rows = sheetRows([
    ['Price list 2026'],
    [],
    [],
    ['SKU', 'Name', 'Preis', '', 'Stock'],
    ['', '', 'netto', 'brutto', ''],
    ['A1', 'Desk', '10.00', '11.90', '3'],
    ['Total', '', '10.00', '11.90', '3'],
  ])
  const { file, changes } = await openRows(xlsx, await xlsxFile({ sheets: [{ name: 'P', rows }] }))
  expect(file.headings).toEqual(['SKU', 'Name', 'Preis netto', 'Preis brutto', 'Stock'])
  expect(changes).toMatchObject([{ id: 'A1', offers: [{ cost: 10, onHand: 3 }] }])
})

test('totals and repeated two-row headings are skipped', async () => {
  const rows = [
    'SKU;Name;Preis;;Stock',
    ';;netto;brutto;',
    'A1;Desk;10,00;11,90;3',
    'SKU;Name;Preis;;Stock',
    ';;netto;brutto;',
    'A 2;Chair;5,00;5,95;3',
    'Sous-total;;15,00;17,85;',
  ]
  const { changes, refused, warnings } = await openRows(csv, rows.join('\n'))
  expect(changes.map(({ id }) => id)).toEqual(['A1', 'A 2'])
  expect(refused).toEqual([])
  expect(warnings).toEqual(['Rows with totals or repeated headings skipped: 3.'])
})

test('a row with only a number of several words is a product', async () => {
  const ids = await openRows(csv, 'sku,price\nP1,5\nDS 18 040,\nA 2 c,')
  expect(ids.changes.map(({ id }) => id)).toEqual(['P1', 'DS 18 040', 'A 2 c'])
  const numbers = await openRows(csv, 'mpn;name;ean\nHS 7 19;;\n;;P 1 x', { vendor: 'Nord' })
  expect(numbers.changes).toMatchObject([
    { patch: { manufacturerPartNumber: 'HS 7 19' } },
    { patch: { upcs: ['P 1 x'] } },
  ])
  expect([...ids.warnings!, ...numbers.warnings!]).toEqual([])
})

test('a row with only a name is not skipped as a remark', async () => {
  const { changes, warnings } = await openRows(csv, 'sku;name;price\nA;Desk;5\n;Red garden chair;')
  expect(changes.map(({ patch }) => patch.name)).toEqual(['Desk', 'Red garden chair'])
  expect(warnings).toEqual([])
})

test('the remains of a broken row are refused, not skipped', async () => {
  const rows = ['sku,name', '1,"Desk', 'of oak and steel', '2,"Chair"']
  const { refused, warnings } = await openRows(csv, rows.join('\n'))
  expect(refused.map(([line]) => line)).toContain(3)
  expect(warnings).toEqual([])
})

describe('detection of headings', () => {
  test('takes the text of vertically merged cells from the upper row', () => {
    const rows = [
      ['SKU', '', 'Stock', ''],
      ['', 'Name', 'Quantity', 'Price'],
      ['A1', 'Desk', '3', '5'],
    ]
    expect(findHeadings(rows)).toMatchObject({
      at: 1,
      headings: ['SKU', 'Name', 'Quantity', 'Price'],
    })
  })

  test('prefers the first row unless another one is recognized better', () => {
    const known = ['sku', 'name', 'shelf']
    expect(findHeadings([known, ['A1', 'Name', 'Price']])).toMatchObject({ at: 0, headings: known })
    expect(
      findHeadings([
        ['x', 'y'],
        ['1', ''],
      ]),
    ).toMatchObject({ at: 0, headings: ['x', 'y'] })
  })

  test('does not apply to an import started by an earlier version', async () => {
    const old = { unmapped: undefined } as unknown as { unmapped: null }
    const opening = openRows(csv, 'a letterhead\nsku,name\nA1,Desk\n', old)
    await expect(opening).rejects.toThrow(
      'None of the headings in the first row is known: a letterhead',
    )
  })
})

test('a price in another currency than the rest of the file is refused on its line', async () => {
  const rows = ['sku,price', 'A1,5.00 EUR', 'A2,6.00 EUR', 'A3,7.00 USD', 'A4,8 £', 'A5,9']
  const { changes, refused } = await openRows(csv, rows.join('\n'))
  expect(changes.map(({ id }) => id)).toEqual(['A1', 'A2', 'A5'])
  expect(refused).toEqual([
    [4, 'vendor.cost: "7.00 USD" is in USD, but the other prices in the file are in EUR'],
    [5, 'vendor.cost: "8 £" is in GBP, but the other prices in the file are in EUR'],
  ])
})

test('a column may name the currency of the prices', async () => {
  const rows = [
    'sku;price;msrp;Währung',
    'A1;5,00;6;EUR',
    'A2;6,00;;eur',
    'A3;7,00;;USD',
    'A4;;;USD',
  ]
  const { changes, refused } = await openRows(csv, [...rows, 'A5;9;;', 'A6;1 £;;EUR'].join('\n'))
  expect(changes.map(({ id, offers }) => [id, offers[0]?.cost])).toEqual([
    ...[
      ['A1', 5],
      ['A2', 6],
      ['A4', undefined],
      ['A5', 9],
    ],
  ])
  expect(changes[0]!.attributes).toEqual({ Währung: 'EUR' })
  expect(refused).toEqual([
    [4, 'vendor.cost: "7,00 USD" is in USD, but the other prices in the file are in EUR'],
    [7, 'vendor.cost: "1 £" is in GBP, but the other prices in the file are in EUR'],
  ])
})

test('a dollar sign stands for any dollar, and for no other currency', async () => {
  const priced = async (...prices: string[]) => {
    const { refused } = await openRows(
      csv,
      `sku,price\n${prices.map((one) => `A,${one}`).join('\n')}`,
    )
    return refused.map(([line]) => line)
  }
  expect(await priced('$10.00', '10.00 €', '11.00 €')).toEqual([2])
  expect(await priced('$10.00', '$11.00', '12.00 €')).toEqual([4])
  expect(await priced('$10.00', '$11.00', '12.00 CAD', '13.00 USD', '14.00 CAD')).toEqual([5])
  expect(await priced('$1', '2.00 MXN', 'US$ 3')).toEqual([])
})

test('a product that is named like a total is read if it has a number', async () => {
  const brand = 'EAN;Marke;Preis;Bestand\n3425901029900;TOTAL;7,99;12\nSumme;;7,99;12'
  const named = 'Artikelnummer;Name;Bestand\n4711;Total;5\n;Total;5'
  const first = await openRows(csv, brand)
  expect(first.changes).toMatchObject([{ patch: { manufacturer: 'TOTAL' } }])
  const second = await openRows(csv, named)
  expect(second.changes.map(({ id }) => id)).toEqual(['4711'])
  expect(second.warnings).toEqual(['Rows with totals or repeated headings skipped: 1.'])
})
