import { describe, expect, test } from 'vitest'
import { chosenFacets, usefulness } from '../../../src/search/chosen-facets.ts'
import type { FacetSettings } from '../../../src/search/tuning/schemas.ts'

const counts = (...numbers: number[]) =>
  new Map(numbers.map((count, at): [string, number] => [`v${at}`, count]))

describe('usefulness', () => {
  test.each([
    ['nothing', [], 0],
    ['one value', [8], 0],
    ['two halves', [4, 4], 4],
    ['four quarters', [2, 2, 2, 2], 6],
    ['one value and a little', [7, 1], 1.75],
  ] as const)('%s', (_, numbers, expected) => {
    expect(usefulness(counts(...numbers))).toBe(expected)
  })

  test('values that are all different narrow less than a few', () => {
    const serial = usefulness(counts(...Array.from({ length: 40 }, () => 1)))
    expect(serial).toBeLessThan(usefulness(counts(20, 10, 10)))
  })
})

const facets = new Map([
  ['half', counts(4, 4)],
  ['quarters', counts(2, 2, 2, 2)],
  ['same', counts(8)],
  ['none', counts()],
])
const shown = (names: string[], most: number | null, selected: string[] = []) => [
  ...chosenFacets(facets, { wishes: { names, most }, selected }).keys(),
]

test.each([
  ['all as they come', shown([], null), ['half', 'quarters', 'same', 'none']],
  ['the best', shown([], 1), ['quarters']],
  ['as many as narrow anything', shown([], 9), ['quarters', 'half']],
  ['those named, in their order', shown(['same', 'half'], null), ['same', 'half']],
  ['not what is empty or unknown', shown(['none', 'other', 'half'], null), ['half']],
  ['those named, then the best', shown(['same'], 2), ['same', 'quarters']],
  ['what is chosen in any case', shown(['half'], 1, ['none']), ['half', 'none']],
])('%s', (_, names, expected) => {
  expect(names).toEqual(expected)
})

const shop = { order: ['same', 'none', 'quarters'], hidden: ['half'], shown: null }
const inShop = (settings: Partial<FacetSettings>, wishes = {}) => [
  ...chosenFacets(facets, {
    wishes: { names: [], most: null, ...wishes },
    settings: { ...shop, ...settings },
    selected: [],
  }).keys(),
]

test.each([
  ['its order first, without what it hides', inShop({}), ['same', 'quarters']],
  ['its number', inShop({ shown: 1 }), ['same']],
  [
    'its order, then the best',
    inShop({ order: ['same'], hidden: [], shown: 2 }),
    ['same', 'quarters'],
  ],
  [
    'what a request names before that',
    inShop({}, { names: ['quarters'], most: 5 }),
    ['quarters', 'same'],
  ],
  [
    'what a request names alone, never what is hidden',
    inShop({}, { names: ['half', 'same'] }),
    ['same'],
  ],
])('a catalog’s settings define %s', (_, names, expected) => {
  expect(names).toEqual(expected)
})
