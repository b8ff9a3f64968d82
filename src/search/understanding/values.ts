import { type LearnedValues, type ValueTerms, valueKey } from '../learning/learned-values.ts'
import type { Understanding } from './understanding.ts'

/** Adjacent words that form a value of facets or attributes. */
interface RecognisedValue {
  /** The words as they were typed. */
  readonly text: string
  readonly terms: ValueTerms
}

const LONGEST_RUN = 3
/** Bounds the clauses that values add to a query. */
const MOST_VALUES = 8

/**
 * The distinct values that the words or their alternatives name, the longest at each place:
 * `stainless steel` rather than `steel`. Skips the head, which types cover.
 */
export function recognisedValues(asked: Understanding, values: LearnedValues): RecognisedValue[] {
  const found = new Map<string, RecognisedValue>()
  for (let first = 0; first < asked.words.length && found.size < MOST_VALUES; ) {
    const value = longestValue(asked, first, values)
    if (value) found.set(valueKey(value.text), value)
    first += value?.words ?? 1
  }
  return [...found.values()].map(({ text, terms }) => ({ text, terms }))
}

function longestValue(
  { words, head, alternatives }: Understanding,
  first: number,
  values: LearnedValues,
): (RecognisedValue & { readonly words: number }) | undefined {
  for (let last = Math.min(first + LONGEST_RUN, words.length) - 1; last >= first; last--) {
    const run = words.slice(first, last + 1)
    if (run.some((word) => word === head)) continue
    const text = run.map((word) => word.text).join(' ')
    const others = alternatives.filter((one) => one.first === first && one.last === last)
    for (const one of [text, ...others.map((other) => other.text)]) {
      const terms = values.get(valueKey(one))
      if (terms) return { text, terms, words: run.length }
    }
  }
  return undefined
}
