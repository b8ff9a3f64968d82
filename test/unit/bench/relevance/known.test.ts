import { describe, expect, test } from 'vitest'
import { sampleOf } from '../../../../bench/relevance/known.ts'
import { ceilingOf, FORMS, spaced, swapped } from '../../../../bench/relevance/known-forms.ts'
import type { CatalogProduct } from '../../../../bench/relevance/products.ts'
import { randomFrom } from '../../../../demo/random.ts'

const product: CatalogProduct = {
  id: '42',
  name: 'Bosch GSR 18V-55 cordless drill driver with two batteries',
  description: null,
  manufacturer: 'Bosch',
  manufacturerPartNumber: '06019-H5.202',
  subCategory: null,
  upcs: ['4059952534435'],
  vendors: [{ vendorPartNumber: 'A42', inStock: true }],
  facets: {},
  filters: {},
}

describe('queries for a known product', () => {
  test('are what somebody types who has the product at hand', () => {
    const texts = Object.entries(FORMS).map(([name, { text }]) => [
      name,
      text(product, randomFrom(name)),
    ])
    expect(Object.fromEntries(texts.slice(0, -1))).toEqual({
      'MPN exactly': '06019-H5.202',
      'MPN in lower case': '06019-h5.202',
      'MPN without punctuation': '06019H5202',
      'MPN with spaces': '06019 H5 202',
      'manufacturer + MPN': 'Bosch 06019-H5.202',
      'UPC or EAN': '4059952534435',
      'vendor part number': 'A42',
      id: '42',
      'six words of the title': 'Bosch GSR 18V-55 cordless drill driver',
    })
  })

  test('are empty if the product lacks the field', () => {
    const bare = { ...product, manufacturer: null, upcs: [], vendors: [], name: 'GSR 18V' }
    const empty = Object.entries(FORMS).filter(
      ([name, { text }]) => text(bare, randomFrom(name)) === '',
    )
    expect(empty.map(([name]) => name)).toEqual([
      'manufacturer + MPN',
      'UPC or EAN',
      'vendor part number',
      'the same, a pair swapped',
    ])
  })

  test.each([
    ['AB-12/3', 'AB 12 3'],
    ['AB123C', 'AB 123C'],
    ['12AB', '12 AB'],
    ['ABC', 'ABC'],
  ])('%s with spaces is %s', (number, expected) => {
    expect(spaced(number)).toBe(expected)
  })
})

describe('swapped', () => {
  test('swaps two different neighboring letters inside one long word', () => {
    for (let seed = 0; seed < 50; seed++) {
      const text = swapped('GSR 18V-55 cordless drill', randomFrom(`${seed}`))
      const [, , cordless, drill] = text.split(' ')
      expect(text).not.toBe('GSR 18V-55 cordless drill')
      expect(text.startsWith('GSR 18V-55 ')).toBe(true)
      expect(`${cordless![0]}${cordless!.at(-1)}${drill![0]}${drill!.at(-1)}`).toBe('csdl')
      expect([...text].sort()).toEqual([...'GSR 18V-55 cordless drill'].sort())
    }
  })

  test('leaves short words and words with digits unchanged', () => {
    expect(swapped('GSR 18V-55 saw X12345', randomFrom('s'))).toBe('')
  })
})

test('only one of the products with the same key can come first', () => {
  const { key } = FORMS['MPN exactly']!
  const twin = { ...product, id: '43', manufacturerPartNumber: '06019 h5 202' }
  const other = { ...product, id: '44', manufacturerPartNumber: '7', manufacturer: 'Metabo' }
  const all = [product, twin, other].map(key!)
  expect(ceilingOf(all, all)).toBeCloseTo(2 / 3, 10)
  expect(ceilingOf([all[0]!, all[2]!], all)).toBe(0.75)
  expect(ceilingOf(['42', '43'], ['42', '43', '44'])).toBe(1)
})

test('a sample is evenly spread, with each product once', () => {
  expect(sampleOf([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], 4)).toEqual([0, 2, 5, 7])
  expect(sampleOf([0, 1], 4)).toEqual([0, 1])
})
