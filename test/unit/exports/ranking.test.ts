import { expect, test } from 'vitest'
import { type ExternalItem, itemFit, readItem } from '../../../src/exports/ranking.ts'
import { atOnce } from '../../../src/platform/steps.ts'
import { createManufacturerNames } from '../../../src/products/manufacturer-names.ts'
import { offer, product } from '../products/make.ts'

const names = createManufacturerNames()
const item = (more: Partial<ExternalItem>): ExternalItem => ({
  name: null,
  manufacturer: null,
  partNumber: null,
  upcs: [],
  ...more,
})
const fitOf = (asked: ExternalItem, one: Parameters<typeof itemFit>[1]) =>
  atOnce(itemFit(atOnce(readItem(asked)), one, names))

const drill = product({
  id: 'D-1',
  name: 'Cordless drill',
  manufacturer: 'Bosch',
  manufacturerPartNumber: 'GSR-12',
  upcs: ['0123', '0884420588030'],
  vendors: [offer('Acme', { vendorPartNumber: 'AC 77' })],
})

test.each([
  ['its UPC', { upcs: ['7', '884420588030'] }, 1, 'UPC'],
  [
    'its maker and number',
    { manufacturer: 'BOSCH', partNumber: 'gsr12' },
    0.98,
    'manufacturer and',
  ],
  ['its number', { partNumber: 'GSR 12' }, 0.9, 'part number'],
  ['a number of a vendor', { partNumber: 'ac77' }, 0.8, 'part number of the vendor Acme'],
  ['its id', { partNumber: 'd1' }, 0.7, 'part number matches the id'],
  ['its words', { name: 'drill, cordless' }, 0.7, '2 of 2 words'],
])('a product fits an item by %s', (_, asked, score, reason) => {
  expect(fitOf(item(asked), drill)).toEqual({ score, reason: expect.stringContaining(reason) })
})

test('a product without number or word of an item does not fit', () => {
  expect(fitOf(item({ name: 'saw', partNumber: 'X', upcs: ['9'] }), drill)).toBeUndefined()
})

test('others can run between the numbers of an item, and those of a product', () => {
  const numbers = Array.from({ length: 500 }, (_, at) => `N-${at}`)
  const many = product({
    upcs: numbers,
    vendors: numbers.map((vendorPartNumber) => offer('Acme', { vendorPartNumber })),
  })
  const asked = item({ partNumber: 'X', upcs: numbers.map((number) => `${number}-X`) })
  expect([...readItem(asked)]).toHaveLength(500)
  expect([...itemFit(atOnce(readItem(asked)), many, names)]).toHaveLength(1_000)
})
