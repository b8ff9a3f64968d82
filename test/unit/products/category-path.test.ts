import { expect, test } from 'vitest'
import { categoryPaths, levelsOf, pathTerm } from '../../../src/products/category-path.ts'

const place = (
  segment: string | null,
  category: string | null = null,
  subCategory: string | null = null,
) => ({ segment, category, subCategory })

test('the paths of a product are those of its category and of all above it', () => {
  expect(categoryPaths(place('Tools', 'Drills', 'Cordless > 18 V'))).toEqual([
    'Tools',
    'Tools > Drills',
    'Tools > Drills > Cordless',
    'Tools > Drills > Cordless > 18 V',
  ])
  expect(categoryPaths(place(null))).toEqual([])
})

test('are equal wherever a path is split into segment, category and sub-category', () => {
  const paths = ['A', 'A > B', 'A > B > C']
  for (const one of [
    place('A', 'B', 'C'),
    place('A > B > C'),
    place('A', null, 'B > C'),
    place(null, 'A > B', 'C'),
  ]) {
    expect(categoryPaths(one)).toEqual(paths)
  }
})

test('levels below the twelfth are part of its name', () => {
  const levels = Array.from({ length: 14 }, (_, at) => `${at + 1}`)
  const paths = categoryPaths(place(levels.join(' > ')))
  expect(paths).toHaveLength(12)
  expect(paths.at(-2)).toBe(levels.slice(0, 11).join(' > '))
  expect(paths.at(-1)).toBe(levels.join(' > '))
  expect(levelsOf(pathTerm(place(levels.join(' > ')))!).at(-1)).toBe('12 > 13 > 14')
})
