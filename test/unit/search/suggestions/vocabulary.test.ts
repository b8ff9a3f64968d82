import { expect, test } from 'vitest'
import { atOnce } from '../../../../src/platform/steps.ts'
import {
  categoriesBegunBy as categoriesInSteps,
  makerIn,
  readVocabulary,
} from '../../../../src/search/suggestions/vocabulary.ts'
import { token } from '../../../../src/text.ts'

const categoriesBegunBy = (...typed: Parameters<typeof categoriesInSteps>) =>
  atOnce(categoriesInSteps(...typed))

const buckets = (counts: readonly (readonly [key: string, doc_count: number])[]) => ({
  buckets: counts.map(([key, doc_count]) => ({ key, doc_count })),
})

const read = (answer: unknown) => atOnce(readVocabulary(answer as never))

const vocabulary = read({
  aggregations: {
    paths: buckets([
      [token('IT', 'Notebooks', 'Gaming'), 5],
      [token('IT', 'Notebooks', ''), 2],
      [token('IT', 'Accessories for Notebooks', 'Sleeves'), 3],
      [token('', 'Télés', ''), 1],
    ]),
    makers: buckets([
      ['Quade', 4],
      ['Quade Tools', 2],
      ['Brennick GmbH', 1],
    ]),
  },
})

test('every level of a path is a category, with its number of products', () => {
  expect(
    vocabulary.categories.map(({ name, levels, products }) => [name, levels, products]),
  ).toEqual([
    ['IT', ['IT', '', ''], 10],
    ['Notebooks', ['IT', 'Notebooks', ''], 7],
    ['Gaming', ['IT', 'Notebooks', 'Gaming'], 5],
    ['Accessories for Notebooks', ['IT', 'Accessories for Notebooks', ''], 3],
    ['Sleeves', ['IT', 'Accessories for Notebooks', 'Sleeves'], 3],
    ['Télés', ['', 'Télés', ''], 1],
  ])
})

test.each([
  ['noteb', ['Notebooks', 'Accessories for Notebooks']],
  ['notebooks', ['Notebooks', 'Accessories for Notebooks']],
  ['acc note', ['Accessories for Notebooks']],
  ['note slee', ['Sleeves']],
  ['tele', ['Télés']],
  ['books', []],
  ['–', []],
])('%s', (text, names) => {
  expect(categoriesBegunBy(text, vocabulary).map(({ name }) => name)).toEqual(names)
})

test('thirty thousand categories with the same prefix are sorted fast', () => {
  const paths = Array.from({ length: 10_000 }, (_, at): [string, number] => [
    token(`Tool ${at}`, `Tool a ${at}`, `Tool b ${at}`),
    1,
  ])
  const large = read({ aggregations: { paths: buckets(paths) } })
  const began = process.threadCpuUsage()
  expect(categoriesBegunBy('tool', large)).toHaveLength(30_000)
  const { user, system } = process.threadCpuUsage(began)
  expect((user + system) / 1_000).toBeLessThan(1_000)
})

test('the last words of a long text are matched', () => {
  const words = Array.from({ length: 66 }, (_, at) => `${at.toString(36).padStart(2, 'a')}`)
  const name = words.join(' ')
  const paths = Array.from({ length: 10_000 }, (_, at): [string, number] => [
    token(`Tools ${at % 9}`, name, `${name} ${at}`),
    1,
  ])
  const large = read({ aggregations: { paths: buckets(paths) } })
  const began = process.threadCpuUsage()
  const found = categoriesBegunBy(name, large)
  const { user, system } = process.threadCpuUsage(began)
  expect((user + system) / 1_000).toBeLessThan(2_000)
  expect(found).toHaveLength(10_009)
  expect(categoriesBegunBy(`unheard ${words.slice(-8).join(' ')}`, large)).toHaveLength(10_009)
  expect(categoriesBegunBy(`unheard ${words.slice(-7).join(' ')}`, large)).toHaveLength(0)
})

test.each([
  ['quade', { name: 'Quade', rest: '' }],
  ['Quade too', { name: 'Quade', rest: 'too' }],
  ['QUADE tools saw', { name: 'Quade Tools', rest: 'saw' }],
  ['brennick dri', { name: 'Brennick GmbH', rest: 'dri' }],
  ['brennick', undefined],
  ['qua dri', undefined],
])('the manufacturer in %s', (text, found) => {
  expect(makerIn(text, vocabulary)).toEqual(found)
})
