import { describe, expect, test } from 'vitest'
import { createManufacturerNames } from '../../../src/products/manufacturer-names.ts'
import { guessedRoles, headerRoles, roleOf } from '../../../src/recommendations/bom/columns.ts'
import { lineOf, listOf } from '../../../src/recommendations/bom/line.ts'
import { createMakers } from '../../../src/recommendations/bom/makers.ts'
import { delimiterOf, rowsOf } from '../../../src/recommendations/bom/sheet.ts'

const makers = createMakers(createManufacturerNames(), ['HP', '3M', 'Xerox', 'Case Logic'])
const read = async (text: string) => {
  const { rows, roles } = listOf(await rowsOf(text))
  return rows.map((row) => {
    const { quantity, maker, identifiers } = lineOf(row, roles, makers)
    const stated = identifiers.filter((one) => one.stated).map(({ forms }) => forms[0])
    return { quantity, maker: maker?.forms, stated }
  })
}

describe('columns', () => {
  test.each([
    ['Part Number', 'partNumber'],
    ['Mfr. Part #', 'partNumber'],
    ['Hersteller-Artikelnr.', 'partNumber'],
    ['Best.-Nr.', 'vendorPartNumber'],
    ['EAN-Code', 'gtin'],
    ['Marke', 'manufacturer'],
    ['Stück', 'quantity'],
    ['Menge (Stk)', 'quantity'],
    ['Einzelpreis', 'other'],
    ['CB436A', undefined],
  ])('%s', (heading, role) => {
    expect(roleOf(heading)).toBe(role)
  })

  test('a row is a header when most of it is known', () => {
    expect(headerRoles(['Teilenr.', 'Menge', 'xyz'])).toEqual(['partNumber', 'quantity', undefined])
    expect(headerRoles(['CB436A', 'HP', 'Item'])).toBeUndefined()
  })

  test('quantities are the numbers that do not just count up', () => {
    const rows = [
      ['1', 'CB436A', '20'],
      ['2', 'CE285A', '3'],
      ['3', '51240000', '7'],
    ]
    expect(guessedRoles(rows)).toEqual(['other', undefined, 'quantity'])
    expect(guessedRoles([['CB436A']])).toEqual([])
  })

  test.each([
    ['a,b\nc,d', ','],
    ['a;b,c\nd;e', ';'],
    ['a\tb\nc\td', '\t'],
    ['HP toner, black\nXerox drum\nHP fuser', undefined],
  ])('%j is divided by %j', (text, delimiter) => {
    expect(delimiterOf(text)).toBe(delimiter)
  })
})

describe('lines', () => {
  test('manufacturer and quantity are taken out of the words', async () => {
    expect(await read('2x Hewlett-Packard CB436A')).toEqual([
      {
        quantity: 2,
        maker: ['hp'],
        stated: ['cb436a', 'hpcb436a', 'hewlettpackardcb436a', '2xhewlettpackardcb436a'],
      },
    ])
  })

  test('the manufacturer divides what stands on both sides of it', async () => {
    const [line] = await read('WX 1200 drill Xerox cordless')
    expect(line).toMatchObject({ maker: ['xerox'] })
    expect(line!.stated.slice(0, 2)).toEqual(['wx1200drill', 'cordless'])
  })

  test('in a text 3m is a length and 3M a manufacturer', async () => {
    expect((await read('cable 3m black'))[0]!.maker).toBeUndefined()
    expect((await read('3M filter mask'))[0]!.maker).toEqual(['3m'])
  })

  test('a number beside a part number says how many', async () => {
    const quantities = (await read('CB436A 3\n4 CE285A toner\nToner 716')).map(
      ({ quantity }) => quantity,
    )
    expect(quantities).toEqual([3, 4, undefined])
  })

  test('a price is no part number, a number that a spreadsheet rounded is', async () => {
    expect((await read('CB436A,49.95 €,x\nCE285A,"1.249,00",x'))[0]!.stated).toEqual([
      'cb436a',
      'x',
    ])
    expect((await read('MPN;Qty\n51240000.0;2'))[0]!.stated).toEqual(['51240000'])
  })

  test('cells that changed places keep what they say', async () => {
    const [line] = await read('Part number,Manufacturer,Qty\n7 pcs,HP,CB436A')
    expect(line).toEqual({ quantity: 7, maker: ['hp'], stated: ['cb436a'] })
  })
})
