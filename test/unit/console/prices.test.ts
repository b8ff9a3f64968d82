import { expect, test } from 'vitest'
import { delimiterOf, pricesIn } from '../../../storefront/src/console/prices/price-lines.ts'

test('a price file is parsed into lines, with the reason for each invalid row', () => {
  const read = pricesIn([
    ['SKU', 'Price', 'Quantity from', 'Valid from', 'valid_to'],
    ['D-100', '79,90', '', '2027-01-01', '2027-06-01T12:00:00+02:00'],
    [' D-100 ', '72.5', '10'],
    ['D-200', '1,234.50'],
    ['D-300', ''],
  ])
  expect(read.lines).toEqual([
    {
      at: 2,
      line: {
        id: 'D-100',
        price: 79.9,
        validFrom: '2027-01-01T00:00:00Z',
        validTo: '2027-06-01T12:00:00+02:00',
      },
    },
    { at: 3, line: { id: 'D-100', price: 72.5, quantityFrom: 10 } },
  ])
  expect(read.refused).toEqual([
    { line: 4, why: 'price: “1,234.50” is not a number' },
    { line: 5, why: 'price: is missing' },
  ])
})

test.each([
  [[['id', 'price', 'constructor']], 'Unknown column “constructor”.'],
  [[['id', 'sku', 'price']], 'More than one column is id.'],
  [[['id']], 'The column “price” is missing.'],
  [[], 'The column “price” is missing.'],
])('%j is refused as a whole', (rows, why) => {
  expect(() => pricesIn(rows)).toThrow(why)
})

test('the most frequent delimiter in the headings separates cells', () => {
  expect(delimiterOf('id;price\n1;2,5')).toBe(';')
  expect(delimiterOf('id\tprice, net')).toBe('\t')
  expect(delimiterOf('id,price')).toBe(',')
})
