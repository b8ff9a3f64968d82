import { describe, expect, test } from 'vitest'
import { limits } from '../../../src/limits.ts'
import { inSteps } from '../../../src/platform/in-steps.ts'
import { atOnce } from '../../../src/platform/steps.ts'
import { createManufacturerNames } from '../../../src/products/manufacturer-names.ts'
import { guessedRoles, headerRoles, roleOf } from '../../../src/recommendations/bom/columns.ts'
import { rowsOf } from '../../../src/recommendations/bom/file.ts'
import { checkedList, lineOf, listOf } from '../../../src/recommendations/bom/line.ts'
import { createMakers } from '../../../src/recommendations/bom/makers.ts'
import { candidatesOf, linesOf } from '../../../src/recommendations/bom/matching.ts'
import { delimiterOf } from '../../../src/recommendations/bom/sheet.ts'
import { expectStepsBelow } from '../../support/expect-steps.ts'

const makers = atOnce(createMakers(createManufacturerNames(), ['HP', '3M', 'Xerox', 'Case Logic']))
const read = async (text: string) => {
  const { rows, roles } = atOnce(listOf(await rowsOf(text)))
  return rows.map((row) => {
    const { quantity, maker, identifiers } = lineOf(row, roles, makers)
    const stated = identifiers.filter((one) => one.stated).map(({ forms }) => forms[0])
    return { quantity, maker: maker?.forms, stated }
  })
}

test('the manufacturers of a catalog with long names are prepared with pauses', async () => {
  const spellings = Array.from({ length: 4_000 }, (_, at) => `${at}`.padEnd(200, '\ufdfa'))
  const preparing = () => inSteps(createMakers(createManufacturerNames(), spellings))
  await expectStepsBelow(100, preparing)
})

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

  test('a row is a header if most of it is recognized', () => {
    expect(headerRoles(['Teilenr.', 'Menge', 'xyz'])).toEqual(['partNumber', 'quantity', undefined])
    expect(headerRoles(['CB436A', 'HP', 'Item'])).toBeUndefined()
  })

  test('quantities are numbers that are not just line numbers', () => {
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
    ['1,000 x DS18-040\n2,500 pcs HS-10\n12,000 Stk HS-7/19', undefined],
    ['- 1,000 pcs DS18\n2. 1,500 x HS-10\nQty: 2,000 HS-7', undefined],
    ['DS18 x 1,000\nHS-10 2,500 pcs\nHS-7 (qty 1,250)', undefined],
    ['MPN,Qty\nDS 18,100 pcs\nHS 10,250 pcs', ','],
    ['1,100\n2,200\n30,300', ','],
    ['DS 18,100\nHS 10,250', ','],
  ])('%j is split by %j', (text, delimiter) => {
    expect(atOnce(delimiterOf(text))).toBe(delimiter)
  })
})

describe('a list', () => {
  const letter = Array.from({ length: 10 }, (_, at) => `Your offer ${at}`).join('\n')
  const lines = (count: number) =>
    Array.from({ length: count }, (_, at) => `A-${at},${at},pcs`).join('\n')
  const listed = async (text: string) => atOnce(checkedList(await rowsOf(text))).rows.length

  test('can be as long as the limit, below a letterhead and with headings and totals in between', async () => {
    const most = limits.recommendationLines
    const heading = 'Part number,Qty,Unit'
    const half = lines(most / 2)
    const pages = [letter, heading, half, 'Subtotal,,12', heading, half, 'Total,,24'].join('\n')
    expect(await listed(pages)).toBe(most)
    await expect(listed(`${pages}\n${lines(1)}`)).rejects.toThrow(
      'The list has more than 1000 lines. Send it in parts.',
    )
  })

  test('without lines or above the limit is refused', async () => {
    await expect(listed('Part number,Qty')).rejects.toThrow('The list has no lines.')
    await expect(listed('Total,,1\n'.repeat(3_000))).rejects.toThrow('Send it in parts')
  })
})

describe('lines', () => {
  test('are split into manufacturer, quantity and remaining words', async () => {
    expect(await read('2x Hewlett-Packard CB436A')).toEqual([
      {
        quantity: 2,
        maker: ['hp'],
        stated: ['cb436a', 'hpcb436a', 'hewlettpackardcb436a', '2xhewlettpackardcb436a'],
      },
    ])
  })

  test('are split at the manufacturer in the middle', async () => {
    const [line] = await read('WX 1200 drill Xerox cordless')
    expect(line).toMatchObject({ maker: ['xerox'] })
    expect(line!.stated.slice(0, 2)).toEqual(['wx1200drill', 'cordless'])
  })

  test('read 3m as a length and 3M as a manufacturer', async () => {
    expect((await read('cable 3m black'))[0]!.maker).toBeUndefined()
    expect((await read('3M filter mask'))[0]!.maker).toEqual(['3m'])
  })

  test('read a number beside a part number as the quantity', async () => {
    const quantities = (await read('CB436A 3\n4 CE285A toner\nToner 716')).map(
      ({ quantity }) => quantity,
    )
    expect(quantities).toEqual([3, 4, undefined])
  })

  test('do not read a price as a part number, but do read a number that a spreadsheet rounded', async () => {
    expect((await read('CB436A,49.95 €,x\nCE285A,"1.249,00",x'))[0]!.stated).toEqual([
      'cb436a',
      'x',
    ])
    expect((await read('MPN;Qty\n51240000.0;2'))[0]!.stated).toEqual(['51240000'])
  })

  test('are read correctly with swapped cells', async () => {
    const [line] = await read('Part number,Manufacturer,Qty\n7 pcs,HP,CB436A')
    expect(line).toEqual({ quantity: 7, maker: ['hp'], stated: ['cb436a'] })
  })

  test('a header is found below a letterhead, and totals and repeated headers are skipped', async () => {
    const text =
      'Angebot 4711\tACME\nDatum\t20.11.\nMPN\tMenge\nCB436A\t2\nMPN\tMenge\nCE285A\t3\nGesamt:\t5'
    expect(await read(text)).toEqual([
      { quantity: 2, maker: undefined, stated: ['cb436a'] },
      { quantity: 3, maker: undefined, stated: ['ce285a'] },
    ])
    expect(await read('CB436A;2\nTotal 3000;1\n;2')).toHaveLength(3)
  })

  test.each([
    ['- 5 pcs CB436A', 5],
    ['CB436A 2 ea @ 320.95', 2],
    ['CB436A, 4 Stück à 1.320,95 €', 4],
    ['3x CB436A for $12.50 each', 3],
    ['* 10x CB436A', 10],
    ['1. CB436A 2 Stk', 2],
    ['2) CB436A (qty 4)', 4],
    ['CB436A (3)', 3],
    ['CB436A - 3', 3],
    ['P/N CB436A Menge 4', 4],
    ['PN: CB436A, Qty: 4', 4],
    ['Art.-Nr. CB436A - 4 Stück', 4],
  ])('of an email: %s', async (text, quantity) => {
    const [line] = await read(text)
    expect(line).toMatchObject({ quantity })
    expect(line!.stated).toContain('cb436a')
  })

  test.each(['SKU1234', 'PN-51240', 'EAN5000'])('%s is a number and not a label', async (text) => {
    expect((await read(text))[0]!.stated).toEqual([text.toLowerCase().replace('-', '')])
  })

  test('a column of quantities can contain 0 or nothing, and no other number is read as a quantity', async () => {
    const lines = await read('MPN;Qty\n3300;0\n3300;n/a\n3300;-2')
    expect(lines.map(({ quantity }) => quantity)).toEqual([0, undefined, undefined])
    expect(lines.map(({ stated }) => stated[0])).toEqual(['3300', '3300', '3300'])
  })

  test('a price or position is not a quantity, even if the quantity has no number', async () => {
    const text = 'Pos;MPN;Menge;Preis\n10;DS18-040;10;12\n20;HS-10;3 Dutzend;7\n2x;HS-11;viele;7 St'
    expect((await read(text)).map(({ quantity }) => quantity)).toEqual([10, undefined, undefined])
  })

  test('a comma between thousands does not divide a line', async () => {
    const text = '1,000 x DS18-040\n2,500 pcs HS-10\n12,000 Stk HS-7/19'
    const lines = await read(text)
    expect(lines.map(({ quantity, stated }) => [quantity, stated[0]])).toEqual([
      [1000, 'ds18040'],
      [2500, 'hs10'],
      [12000, 'hs719'],
    ])
  })

  test('a tab before the first word of a line is an empty cell', async () => {
    const text = 'Anfrage\nan Sie\nMPN\tMenge\tMarke\n\t3\tHP\nCB436A\t2\tHP'
    expect((await read(text)).map(({ quantity }) => quantity)).toEqual([3, 2])
  })
})

describe('a list made to take long', () => {
  test('has cells that are limited for comparison, too', async () => {
    const [row] = await rowsOf('\ufdfa'.repeat(1_600))
    expect(row!.cells[0]!.normalize('NFKD').length).toBeLessThanOrEqual(2 * limits.valueLength)
    expect((await rowsOf('ﬁ'.repeat(1_600)))[0]!.cells[0]).toHaveLength(1_600)
  })

  test.each([
    ['long cells', Array(200).fill(Array(4).fill('\ufdfa'.repeat(1_990)).join(','))],
    ['many empty cells', Array(250).fill('"",'.repeat(6_600))],
    [
      'long cells below a total',
      Array(150).fill(['total', ...Array(9).fill('é'.repeat(1_900))].join(';')),
    ],
  ])('is read and looked at with pauses: %s', async (_, lines) => {
    const reading = async () => inSteps(listOf(await rowsOf(lines.join('\n'))))
    await expectStepsBelow(250, reading)
  })

  test('lets others run, and ends with its request', async () => {
    const words = Array.from({ length: 300 }, (_, at) => `wrench${at}`).join(' ')
    const rows = Array.from({ length: 100 }, (_, line) => ({ line, cells: [words] }))
    const request = new AbortController()
    setImmediate(() => request.abort(new Error('over')))
    const lines = linesOf(rows, { roles: [], makers, ctx: request })
    await expect(lines).rejects.toThrow('over')
  })

  test('lets others run while its lines are compared with many products', async () => {
    const words = Array.from({ length: 40 }, (_, at) => `wrench${at}`).join(' ')
    const row = { line: 1, cells: [words] }
    const ctx = { signal: AbortSignal.timeout(60_000) }
    const [line] = await linesOf([row], { roles: [], makers, ctx })
    const others = { manufacturerPartNumber: null, category: null, subCategory: null }
    const named = { name: words, description: null, manufacturer: null }
    const products = Array.from({ length: 50 }, (_, at) => ({ id: `W-${at}`, ...named, ...others }))
    const hits = Array.from({ length: 100 }, () => ({ line: line!, products }))
    const request = new AbortController()
    setImmediate(() => request.abort(new Error('over')))
    await expect(candidatesOf(request, hits, makers)).rejects.toThrow('over')
  })
})

test('a list with too many lines is refused, even if they are empty', async () => {
  await expect(rowsOf('\n'.repeat(limits.recommendationLines * 50))).rejects.toThrow('more than')
  await expect(rowsOf(';\n'.repeat(limits.recommendationLines * 50))).rejects.toThrow('more than')
  expect(await rowsOf(`${'\n'.repeat(1_000)}2x CB436A`)).toEqual([
    { line: 1_001, cells: ['2x CB436A'] },
  ])
})
