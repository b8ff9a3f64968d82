import { expect, test } from 'vitest'
import {
  visibleSuggestions,
  visibleWordsBody,
} from '../../../../src/search/understanding/visible-words.ts'

test('a word is suggested only where it is visible, with its frequency there', () => {
  const option = (text: string, freq: number) => ({ text, freq, score: 0.8 })
  const suggest = {
    'word0-0': [{ text: 'tonar', options: [option('toner', 900), option('tonal', 5)] }],
    'word1-0': [{ text: 'paper', options: [option('pager', 7)] }],
  } as never
  expect(Object.keys(visibleWordsBody(suggest)!.aggs!)).toHaveLength(5)
  const counts = { word0: 0, word1: 2, word2: 3, word3: 4, word4: 1 }
  const aggregations = Object.fromEntries(
    Object.entries(counts).map(([name, doc_count]) => [name, { doc_count }]),
  )
  expect(visibleSuggestions(suggest, { aggregations } as never)).toEqual({
    'word0-0': [{ text: 'tonar', options: [option('toner', 2), option('tonal', 3)] }],
    'word1-0': [{ text: 'paper', options: [] }],
  })
})
