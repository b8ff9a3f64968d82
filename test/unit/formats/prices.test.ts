import { expect, test } from 'vitest'
import { csv } from '../../../src/formats/csv/format.ts'
import { splitPictures } from '../../../src/formats/rows/cell-values.ts'
import { datesOf } from '../../../src/formats/rows/dates.ts'
import { commonCurrency, currencyOf, priceOf } from '../../../src/formats/rows/prices.ts'
import { openRows } from '../../support/open-rows.ts'

const TODAY = '2026-11-23'
const dayOf = (text: string, isDayFirst?: boolean) => datesOf(text, isDayFirst)?.[0]

test.each<[string, Parameters<typeof priceOf>[0], Partial<ReturnType<typeof priceOf>>]>([
  ['a reduced price is the price', { cost: 15, salePrice: 12 }, { cost: 12, msrp: 15 }],
  ['a list price stays', { cost: 15, salePrice: 12, msrp: 20 }, { cost: 12, msrp: 20 }],
  ['0 is none', { cost: 15, salePrice: 0 }, { cost: 15, msrp: undefined }],
  ['nor is a higher one', { cost: 15, salePrice: 16 }, { cost: 15, msrp: undefined }],
  ['alone it is the price', { salePrice: 12 }, { cost: 12, msrp: undefined }],
  [
    'its last day counts',
    { cost: 15, salePrice: 12, saleUntil: '2026-11-23' },
    { cost: 12, msrp: 15 },
  ],
  ['then it is over', { cost: 15, salePrice: 12, saleUntil: '22.11.2026' }, { cost: 15 }],
  ['before it begins', { cost: 15, salePrice: 12, saleFrom: '11/24/26, 1:06 AM' }, { cost: 15 }],
  [
    'a time with both ends',
    { cost: 15, salePrice: 12, saleFrom: '2026-01-01T00:00+0100/2026-02-01T00:00+0100' },
    { cost: 15 },
  ],
])('%s', (_, said, price) => {
  expect(priceOf(said, TODAY)).toEqual(price)
})

test.each([
  '1.11.2026/15.11.2026',
  '01.11.2026 - 15.11.2026',
  '01.11.2026–15.11.2026',
  '2026-11-01 - 2026-11-15',
  '2026-11-01 bis 2026-11-15',
  '2026-11-01 00:00:00 to 2026-11-15 23:59:59',
  '11/1/2026 - 11/15/2026',
  '11/1/26, 1:06 AM – 11/15/26, 11:59 PM',
  '2026/11/01-2026/11/15',
  '2026-11-01T00:00-0800/2026-11-15T23:59-0800',
  '2026-11-01 10:00 Uhr bis 2026-11-15 18:00 Uhr',
])('both dates of a sale are read from one cell: %s', (period) => {
  expect(datesOf(period)).toEqual(['2026-11-01', '2026-11-15'])
  for (const cells of [{ saleFrom: period }, { saleUntil: period }]) {
    const said = { cost: 100, salePrice: 60, ...cells }
    expect(
      ['2026-10-31', '2026-11-01', '2026-11-15', '2026-11-16'].map(
        (today) => priceOf(said, today).cost,
      ),
    ).toEqual([100, 60, 60, 100])
  }
})

test.each<[string, string[] | undefined]>([
  ['2026-11-01/0000-00-00', ['2026-11-01', '']],
  ['0000-00-00 - 2026-11-15', ['', '2026-11-15']],
  ['2026-11-01/', ['2026-11-01']],
  ['2026-11-01 / n/a', ['2026-11-01']],
  ['2026-11-01T18:00:00.000Z', ['2026-11-01']],
  ['1.11.2026 or later', undefined],
  ['2026-11-01 - 15.', undefined],
  ['2026-11-01, 2026-11-08, 2026-11-15', undefined],
  ['until 15.11.2026', undefined],
  ['2026-11-01 - 2026-11-31', undefined],
])('a period with one date, or that cannot be read: %s', (text, days) => {
  expect(datesOf(text)).toEqual(days)
})

test('a regular price stays the msrp only while the sale lasts', async () => {
  const msrps = async (headings: string, ...rows: string[]) =>
    (await openRows(csv, [headings, ...rows].join('\n'))).changes.map(({ patch }) => patch.msrp)
  const headings = 'SKU;Price;Sale price;Sale ends'
  expect(
    await msrps(
      headings,
      'A;100;80;2026-12-31',
      'B;100;80;2026-11-01',
      'C;85;;',
      'D;85;85;',
      'E;;;',
    ),
  ).toEqual([100, null, null, null, undefined])
  expect(await msrps(`${headings};RRP`, 'A;85;;;120', 'B;85;80;2026-11-01;120')).toEqual([120, 120])
  expect(await msrps('SKU;Price', 'A;85')).toEqual([undefined])
  expect(
    await msrps(
      'Type;SKU;Name;Published;Regular price;Sale price',
      ...['simple;A;x;1;100;80', 'simple;B;x;1;85;'],
    ),
  ).toEqual([100, null])
})

test('a date is read as shops write it', () => {
  expect(
    ['2026-02-01 10:00', '1.2.2026', '2/1/26', '2/1/2026 19:45', 'soon'].map((text) => dayOf(text)),
  ).toEqual([...['2026-02-01', '2026-02-01', '2026-02-01', '2026-02-01', undefined]])
})

test('a date is read in the format of the file, and never if it does not exist', async () => {
  expect(['24/12/2026', '12/24/2026'].map((text) => dayOf(text))).toEqual([
    ...['2026-12-24', '2026-12-24'],
  ])
  expect(dayOf('01/12/2026', true)).toBe('2026-12-01')
  expect(
    ['31-01-2026', '01-31-2026', '2026/1/31', '31-02-2026'].map((text) => dayOf(text)),
  ).toEqual(['2026-01-31', '2026-01-31', '2026-01-31', undefined])
  expect(['2026-24-12', '31/31/2026', '31.2.2026'].map((text) => dayOf(text))).toEqual(
    Array(3).fill(undefined),
  )
  const list = (signs: string, until: string, price = '12.00') =>
    openRows(csv, `SKU;Price;Sale price;${signs}\nA;15;${price};01/12/2026\nB;15;${price};${until}`)
  const costs = async (...[signs, until, price]: Parameters<typeof list>) =>
    (await list(signs, until, price)).changes.map(({ offers }) => offers[0]?.cost)
  expect(await costs('Sale ends', '24/12/2026')).toEqual([12, 12])
  expect(await costs('Sale ends', '12/24/2026')).toEqual([15, 12])
  expect(await costs('Sale ends', '01/12/2026', '12,00')).toEqual([12, 12])
  expect(await costs('Sale ends', '24/11/2026 - 24/12/2026')).toEqual([12, 15])
})

test('a sale price is never applied for a period that cannot be read', async () => {
  const read = (from: string, until: string, sale = '12.00') =>
    openRows(csv, `SKU;Price;Sale price;Sale starts;Sale ends\nA;15;${sale};${from};${until}`)
  for (const until of ['31. Jan 2024', '2026-02-30', 'soon']) {
    const { changes, refused } = await read('', until)
    expect(changes).toEqual([])
    expect(refused).toEqual([[2, `vendor.saleUntil: "${until}" is not a date`]])
  }
  expect((await read('99999-01-01', '')).refused).toEqual([
    [2, 'vendor.saleFrom: "99999-01-01" is not a date'],
  ])
  for (const none of ['', '0000-00-00', '0000-00-00 00:00:00', '0', 'n/a', '-']) {
    const { changes } = await read(none, none)
    expect(changes.map(({ offers }) => offers[0]?.cost)).toEqual([12])
  }
  expect((await read('soon', 'later', '')).changes).toHaveLength(1)
})

test('the currency of a file is that of most amounts', () => {
  expect(['15.00 USD', 'EUR 5', '€5', '5 £', '5', '$5', '5 STK', 'NAN'].map(currencyOf)).toEqual([
    ...['USD', 'EUR', 'EUR', 'GBP', undefined, '$', undefined, undefined],
  ])
  expect(commonCurrency(['1 USD', '2 EUR', '3 EUR', 'call us GBP', ''], '.')).toBe('EUR')
})

test('several pictures in a cell are split without breaking addresses', () => {
  expect(splitPictures('https://a.example/1.jpg;v=2')).toEqual(['https://a.example/1.jpg;v=2'])
  expect(splitPictures('https://a.example/i?f=a,b|https://a.example/2.jpg')).toEqual([
    ...['https://a.example/i?f=a,b', 'https://a.example/2.jpg'],
  ])
  expect(splitPictures('1.jpg;2.jpg')).toEqual(['1.jpg', '2.jpg'])
})
