import { expect, test } from 'vitest'
import { catalogPhrases } from '../../../../src/search/suggestions/phrases.ts'
import { productOf } from '../../../support/catalog.ts'

const phrases = (text: string, name: string, category: string | null = null) =>
  catalogPhrases(text, {
    makers: [],
    categories: [],
    products: [productOf({ id: '1', name, category }, 'c')],
  })

test.each([
  ['cordl', 'Ranger 18 V cordless drill driver', ['cordless drill driver']],
  ['drive', 'Ranger 18 V cordless drill driver', ['driver']],
  ['cordless dri', 'Ranger 18 V cordless drill driver', ['cordless drill driver']],
  ['gluhb', 'Warme Glühbirne', ['glühbirne']],
  ['bits', 'Ranger 18 V cordless drill driver', []],
])('%s of %s', (text, name, expected) => {
  expect(phrases(text, name)).toEqual(expected)
})
