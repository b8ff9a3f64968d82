import { Invalid } from '../errors.ts'
import { limits } from '../limits.ts'
import type { FilterCriteria } from '../products/criteria.ts'
import { distinct, wordsOf } from './understanding/words.ts'

/** Keyword criteria are expensive, so together they have the limits of one search. */
export function checkKeywords(criteria: readonly FilterCriteria[]): void {
  const texts = criteria.filter(({ type }) => type === 'keyword').map(({ value }) => value ?? '')
  const { keywordWords, keywordsLength } = limits
  const words = texts.reduce((sum, text) => sum + distinct(wordsOf(text)).length, 0)
  if (words > keywordWords || texts.join('').length > keywordsLength) {
    throw new Invalid(
      `Criteria of type keyword: at most ${keywordWords} words and ${keywordsLength} characters in total`,
    )
  }
}

/** Sorts items whose order does not matter, so that equal requests are equal bytes. */
export const byText = <T>(items: readonly T[]): T[] =>
  items
    .map((item) => [JSON.stringify(item), item] as const)
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([, item]) => item)
