import { describe, expect, test } from 'vitest'
import type { CatalogProduct } from '../../../../bench/relevance/products.ts'
import { typingLines } from '../../../../bench/relevance/report.ts'
import {
  prefixesOf,
  type TypedWord,
  typedWords,
  typingFigures,
} from '../../../../bench/relevance/typing.ts'

const product = (name: string, subCategory: string | null): CatalogProduct => ({
  id: name,
  name,
  description: null,
  manufacturer: null,
  manufacturerPartNumber: '1',
  subCategory,
  upcs: [],
  vendors: [],
  facets: {},
  filters: {},
})

describe('typed texts', () => {
  test('are the first two words of titles, each once, and categories of five products or more', () => {
    const lamps = Array.from({ length: 5 }, (_, i) => product(`Aura LED ${i}`, 'LED Bulbs'))
    const typed = typedWords([...lamps, product('Beam tube', 'LED Tubes')], 6)
    expect(typed).toEqual([
      { kind: 'title', text: 'Aura LED' },
      { kind: 'title', text: 'Beam tube' },
      { kind: 'category', text: 'LED Bulbs' },
    ])
  })

  test('are the names of families that the catalog has', () => {
    const drill = { ...product('Drill driver', null), id: 'drill-1' }
    expect(typedWords([drill], 1)).toEqual([
      { kind: 'title', text: 'Drill driver' },
      { kind: 'family', text: 'drill' },
    ])
  })

  test('are every prefix that does not end in a space', () => {
    expect(prefixesOf('HP Né')).toEqual(['H', 'HP', 'HP N', 'HP Né'])
  })
})

describe('a typed word', () => {
  const word = (text: string, ...steps: [right: number, wanted?: number][]): TypedWord => ({
    kind: 'category',
    text,
    steps: steps.map(([right, wanted], at) => ({
      text: text.slice(0, at + 1),
      total: 100,
      right,
      ...(wanted === undefined ? {} : { wanted }),
    })),
  })
  const figures = typingFigures([
    word('lamp', [0, 3], [2, 9], [5, 9], [5, 8]),
    word('tube', [0], [0], [4], [3]),
    word('saw', [0], [0], [0]),
  ])

  test('is answered from the letter on at which an expected product is in the first ten', () => {
    expect(figures).toMatchObject({ words: 3, median: 3, letters: 11, never: ['saw'] })
    expect([figures.second, figures.third]).toEqual([1 / 3, 2 / 3])
  })

  test('never has fewer expected products after another letter', () => {
    expect(figures.fewer).toEqual(['lamp', 'tube'])
    const none = typingFigures([])
    const kinds = { title: none, category: figures, family: none }
    const lines = typingLines({ catalog: 'demo', told: false, kinds, examples: [] })
    expect(lines[0]).toBe('typing in the catalog demo; the service does not accept typing: true')
    expect(lines).toContain('    fewer with one letter more: 2 of 11  lamp, tube')
  })
})
