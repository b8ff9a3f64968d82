import { expect, test } from 'vitest'
import { detailsOf } from '../../../storefront/src/ui/details.ts'
import { optionNames, sortedVariants } from '../../../storefront/src/ui/variant-order.ts'

test('variants are sorted by their options in the natural order', () => {
  const sizes = ['XL', '2XL', 'S', 'XS', 'M', 'XXXL', 'L']
  const shirts = sizes.map((Size, at) => ({ id: `s${at}`, options: { Size } }))
  expect(sortedVariants(shirts).map(({ options }) => options!.Size)).toEqual([
    ...['XS', 'S', 'M', 'L', 'XL', '2XL', 'XXXL'],
  ])
  const bolts = ['M10', 'M8', 'M8'].map((Thread, at) => ({
    id: `b${at}`,
    options: { Thread, Length: `${100 - at} mm` },
  }))
  expect(sortedVariants(bolts).map(({ id }) => id)).toEqual(['b2', 'b1', 'b0'])
  expect(optionNames([...bolts, { id: 'x' }])).toEqual(['Thread', 'Length'])
})

test('internal attributes of shop systems are not details of a product', () => {
  const attributes = {
    Material: 'steel',
    'Variant Inventory Policy': 'deny',
    'Google Shopping / MPN': '4',
    'SEO Title': 'Buy it',
    Status: 'refurbished',
  }
  expect(detailsOf({ attributes, facets: {}, filters: {} })).toEqual([
    ['Material', 'steel'],
    ['Status', 'refurbished'],
  ])
})

test('an option is shown once among the details', () => {
  const product = {
    attributes: { Weight: '2 kg', colour: 'blue' },
    facets: { Colour: 'blue', Shelf: 'A4' },
    filters: { Weight: 2, Litres: 35 },
  }
  expect(detailsOf(product)).toEqual([
    ...[
      ['Weight', '2 kg'],
      ['colour', 'blue'],
      ['Shelf', 'A4'],
      ['Litres', 35],
    ],
  ])
})
