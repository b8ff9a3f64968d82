import { limits } from '../../limits.ts'
import type { Measure } from '../../products/measures.ts'
import { fold, normalisePartNumber } from '../../text.ts'

/** One word of a keyword search. */
export interface Word {
  /** The word as it was typed. */
  readonly text: string
  /** Folded letters and digits only, the form in which part numbers are compared. */
  readonly form: string
  /** The terms of a number with its unit, by which alone it is found. */
  readonly measures?: readonly string[]
}

// The characters at which the index splits, too. A comma inside a number is kept.
const GAP = /[\s()[\]{}<>;|"]|,(?!\d)|(?<!\d),/

/**
 * The words of a text in order, each of `measures` as one. A repeated word is the same object. At
 * most `limits.keywordWords` distinct ones, and none without a letter or digit.
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
    // Skips the hyphen in `5015A-PHF`, which would exclude the second part.
    at = text[end] === '-' ? end + 1 : end
    return [...before, ...read(text.slice(start, end), terms)]
  })
  return [...words, ...plain(at)]
}

/** The distinct words, each at its first place. */
export const distinct = (words: readonly Word[]): Word[] => [...new Set(words)]

export const hasDigit = (text: string): boolean => /\p{N}/u.test(text)

/** Adjacent words that together may be a part number. */
export interface WordRun {
  readonly first: number
  readonly last: number
  readonly form: string
}

const RUN_WORDS = 4
const RUN_LENGTH = 4
/** Longer words of letters, and longer runs, are not part numbers. */
const RUN_LETTERS = 6
const RUN_LONGEST = 24
/** Elasticsearch limits the clauses of a query by its memory and processors. */
const MOST_RUNS = 16

/**
 * Runs of two to four adjacent words that together have a digit and at least four characters. The
 * shortest come first, so that long texts use up the limit on the likely ones.
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
