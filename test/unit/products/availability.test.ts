import { expect, test } from 'vitest'
import { isDiscontinued } from '../../../src/products/availability.ts'
import { product } from './make.ts'

const offer = (status: string | null, inStock = false) => ({
  ...{ vendorName: `${status}`, vendorPartNumber: null, name: null, cost: 1, onHand: 0 },
  inStock,
  status,
})

test.each([
  ['every offer says so', { vendors: [offer('Discontinued'), offer('EOL')] }, true],
  ['in another language', { vendors: [offer('Abgekündigt')] }, true],
  ['one may come again', { vendors: [offer('Discontinued'), offer('On order')] }, false],
  ['somebody has it', { vendors: [offer('Discontinued', true)] }, false],
  ['nobody says anything', { vendors: [offer(null)] }, false],
  ['without offers', {}, false],
  ['an attribute says so', { attributes: { 'Product status': 'End of life' } }, true],
  ['a facet is called so', { facets: { Discontinued: 'Yes' } }, true],
  ['it is not', { facets: { Discontinued: 'No' } }, false],
])('discontinued: %s', (_, fields, expected) => {
  expect(isDiscontinued(product(fields))).toBe(expected)
})
