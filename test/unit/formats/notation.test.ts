import { describe, expect, test } from 'vitest'
import { csv } from '../../../src/formats/csv/format.ts'
import { openRows } from '../../support/open-rows.ts'

const rows = (count: number, price: (at: number) => string, from = 0) =>
  Array.from({ length: count }, (_, at) => `P${from + at};x;${price(at)}`).join('\n')
const costs = async (content: string) =>
  (await openRows(csv, content)).changes.map(({ offers }) => offers[0]!.cost)

describe('the decimal sign of a long file', () => {
  const early = `sku;name;price\n${rows(1_200, (at) => `1.${100 + (at % 900)}`)}`

  test('is proven by the first number that proves it, wherever that is', async () => {
    const late = ['A;x;12,50', 'B;x;3.450,00', 'C;x;2.000']
    const read = await costs([early, ...late].join('\n'))
    expect(read).toHaveLength(1_203)
    expect(read.slice(0, 3)).toEqual([1100, 1101, 1102])
    expect(read.slice(-4)).toEqual([1399, 12.5, 3450, 2000])
  })

  test('is that of the later rows of a system’s file too', async () => {
    const woo = ['Type;SKU;Name;Published;Regular price', 'simple;A;x;1;1.299']
    for (let at = 0; at < 600; at++) woo.push(`simple;B${at};x;1;99`)
    const { file, changes } = await openRows(csv, [...woo, 'simple;C;x;1;12,50'].join('\n'))
    expect(file.system).toBe('WooCommerce')
    expect(changes).toHaveLength(602)
    expect(changes[0]!.offers[0]!.cost).toBe(1299)
  })

  test('is a point if no number proves one', async () => {
    const { changes, warnings } = await openRows(csv, early)
    expect(changes).toHaveLength(1_200)
    expect(changes[0]!.offers[0]!.cost).toBe(1.1)
    expect(warnings).toEqual([])
  })
})

describe('a file with both decimal signs', () => {
  const warning =
    'Numbers that contradict the decimal point of the file: 2, the first being "12,50" in row 602. Check the numbers that can be read both ways and were read with a decimal point: 1, the first being "1.299" in row 604.'

  test('is imported with a warning that names the rows', async () => {
    const content = `sku;name;price\n${rows(600, () => '9.90')}\nA;x;12,50\nB;x;13,50\nC;x;1.299`
    expect((await openRows(csv, content)).warnings).toEqual([warning])
  })

  test('has no warning if each number proves its sign', async () => {
    const content = 'sku;name;price\nA;x;9.90\nB;x;8.90\nC;x;12,50\nD;x;n.a.'
    expect((await openRows(csv, content)).warnings).toEqual([])
  })
})

test('EANs that a spreadsheet rounded are counted by a warning', async () => {
  const content = 'sku;name;ean\nA;x;4,00638E+12\nB;y;4006381333931\nC;z;4,00638E+12'
  const { changes, warnings } = await openRows(csv, content)
  expect(changes.map(({ patch }) => patch.upcs)).toEqual([undefined, ['4006381333931'], undefined])
  expect(warnings).toEqual([
    'UPCs and EANs that a spreadsheet rounded are not used: 2, the first being "4,00638E+12" in row 2. Export them as text.',
  ])
})

test('a warning shows the beginning of a long cell', async () => {
  const long = Array(1_000).fill('4,00638E+12').join(';')
  const { warnings } = await openRows(csv, `sku\tname\tean\nA\tx\t${long}`)
  expect(warnings).toHaveLength(1)
  expect(warnings?.[0]?.length).toBeLessThan(250)
})
