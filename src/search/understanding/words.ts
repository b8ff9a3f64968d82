import { limits } from '../../limits.ts'
import type { Measure } from '../../products/measures.ts'
import { fold, normalisePartNumber } from '../../text.ts'

/** One word of a keyword search. */
export interface Word {
  /** As it was typed. */
  readonly text: string
  /** Letters and digits only, folded: how part numbers are compared. */
  readonly form: string
  /** The terms of a number with its unit: it is found as such alone. */
  readonly measures?: readonly string[]
}

// The brackets and marks at which the index splits as well; a comma inside a number stays.
const GAP = /[\s()[\]{}<>;|"]|,(?!\d)|(?<!\d),/

/**
 * The words of a text in its order, each of `measures` as one; one that comes again is the same
 * object again. At most `limits.keywordWords` different ones; what has no letter or digit is none.
 */
export function wordsOf(text: string, measures: readonly Measure[] = []): Word[] {
  const known = new Map<string, Word>()
  const read = (part: string, terms?: readonly string[]): Word[] => {
    const form = normalisePartNumber(part)
    const key = fold(part)
    const word = known.get(key) ?? { text: part, form, ...(terms ? { measures: terms } : {}) }
    if (form === '' || (!known.has(key) && known.size === limits.keywordWords)) return []
    known.set(key, word)
    return [word]
  }
  const plain = (from: number, to?: number) =>
    text
      .slice(from, to)
      .split(GAP)
      .flatMap((part) => read(part))
  let at = 0
  const words = measures.flatMap(({ start, end, terms }) => {
    const before = plain(at, start)
    // Of `5015A-PHF` the second part is not unwanted.
    at = text[end] === '-' ? end + 1 : end
    return [...before, ...read(text.slice(start, end), terms)]
  })
  return [...words, ...plain(at)]
}

/** Each word once, at its first place: what is looked for. */
export const distinct = (words: readonly Word[]): Word[] => [...new Set(words)]

export const hasDigit = (text: string): boolean => /\p{N}/u.test(text)

/** Adjacent words that may together be one part number. */
export interface WordRun {
  readonly first: number
  readonly last: number
  readonly form: string
}

const RUN_WORDS = 4
const RUN_LENGTH = 4
/** Longer words of letters are words, and longer runs no part numbers. */
const RUN_LETTERS = 6
const RUN_LONGEST = 24
/** Elasticsearch bounds the clauses of a query by its memory and processors. */
const MOST_RUNS = 16

/**
 * Runs of two to four adjacent words that, joined, have a digit and four characters. The shortest
 * come first, so that a long text spends the number allowed on what is likely.
 */
export function runsOf(words: readonly Pick<Word, 'form'>[]): WordRun[] {
  const runs: WordRun[] = []
  for (let length = 2; length <= RUN_WORDS; length++) {
    for (let first = 0; first + length <= words.length; first++) {
      const parts = words.slice(first, first + length).map(({ form }) => form)
      const form = parts.join('')
      if (mayBePartNumber(form, parts)) runs.push({ first, last: first + length - 1, form })
    }
  }
  return runs.slice(0, MOST_RUNS)
}

const mayBePartNumber = (form: string, parts: readonly string[]): boolean =>
  hasDigit(form) &&
  form.length >= RUN_LENGTH &&
  form.length <= RUN_LONGEST &&
  parts.every((part) => hasDigit(part) || part.length <= RUN_LETTERS)
