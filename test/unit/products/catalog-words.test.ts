import { describe, expect, test } from 'vitest'
import products from '../../../index-mappings/products.json' with { type: 'json' }
import { limits } from '../../../src/limits.ts'
import {
  CATALOG_PREFIX,
  catalogTag,
  comparedWords,
  foldedTexts,
  misspeltForms,
  TAGGED_FIELDS,
} from '../../../src/products/catalog-words.ts'

describe('the words of a product for spelling correction', () => {
  test.each([
    ['Größe XL', ['grosse']],
    ['wi-fi (Dual)', ['wifi', 'dual']],
    ['DDR4-3200 memory', ['ddr', 'memory']],
    ['Batteries, cables & shoes', ['batteries', 'battery', 'cables', 'cable', 'shoes']],
    ['bus glass gas', ['bus', 'glass', 'gas']],
    [`a of 12 ${'x'.repeat(33)}`, []],
    ['toner Toner', ['toner']],
  ])('%s', (text, words) => {
    expect(comparedWords([text])).toEqual(words)
  })

  test('are limited in number', () => {
    const many = Array.from({ length: 2_000 }, (_, at) =>
      [...String(at)]
        .map((digit) => 'abcdefghij'[Number(digit)])
        .join('')
        .padStart(5, 'z'),
    )
    expect(comparedWords([many.join(' ')])).toHaveLength(limits.productWords)
    // Each is folded to 18 letters and spaces.
    const long = Array.from({ length: 80 }, () => 'ﷺ'.repeat(1_000))
    expect([...foldedTexts([...long, 'late'])].join('')).toHaveLength(limits.comparedLength)
    expect(comparedWords(['early', ...long, 'late'])).not.toContain('late')
  })
})

test.each([
  ['Tonners', ['tonners', 'tonner']],
  ["O'Neil", ['oneil']],
  ['cable/', ['cable']],
  ['x'.repeat(33), []],
])('%s may be misspelled as', (word, forms) => {
  expect(misspeltForms(word)).toEqual(forms)
})

test('a tag has the length that indexed beginnings of part numbers are counted from', () => {
  expect(catalogTag('org/shop')).toHaveLength(CATALOG_PREFIX)
  const { begin } = products.mappings.properties.search.properties.manufacturerPartNumber.fields
  expect(begin.index_prefixes.min_chars).toBe(CATALOG_PREFIX + 1)
  expect(TAGGED_FIELDS).toContain('search.manufacturerPartNumber.begin')
})
