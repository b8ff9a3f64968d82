import type { Query } from '../elastic/search.ts'
import { limits } from '../limits.ts'
import { CATALOG_PREFIX, catalogWord, misspeltForms } from '../products/catalog-words.ts'
import { fold, normalisePartNumber, partNumberForms } from '../text.ts'

/** One word of a keyword search. */
export interface Word {
  /** As it was typed. */
  readonly text: string
  /** Letters and digits only, folded: how part numbers are compared. */
  readonly form: string
}

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
/** Shorter forms are too common for a look at the beginning or the inside of part numbers. */
const PART_LENGTH = 3

/**
 * Ranks a match: an exact part number stands above everything that words can add up to. A match is
 * worth the same whatever else the index holds: statistics of words come from all catalogs.
 */
const WEIGHTS = {
  name: 2,
  text: 1,
  description: 1,
  exact: 1_000,
  prefix: 20,
  inside: 8,
  exactWord: 8,
  prefixWord: 0.5,
  misspelt: 0.6,
} as const

const hasDigit = (text: string): boolean => /\p{N}/u.test(text)

// The brackets and marks at which the index splits as well; a comma inside a number stays.
const GAP = /[\s()[\]{}<>;|"]|,(?!\d)|(?<!\d),/

/**
 * The words of a text in its order; one that comes again is the same object again. At most
 * `limits.keywordWords` different ones; what has no letter or digit is none.
 */
export function wordsOf(text: string): Word[] {
  const known = new Map<string, Word>()
  return text.split(GAP).flatMap((part) => {
    const form = normalisePartNumber(part)
    const key = fold(part)
    const word = known.get(key) ?? { text: part, form }
    if (form === '' || (!known.has(key) && known.size === limits.keywordWords)) return []
    known.set(key, word)
    return [word]
  })
}

/** Each word once, at its first place: what is looked for. */
export const distinct = (words: readonly Word[]): Word[] => [...new Set(words)]

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

const constant = (filter: Query, boost: number): Query => ({ constant_score: { filter, boost } })

/** As long as the pieces that the index has of part numbers. */
const TRIGRAM = 3
/** How often a form may have each of its trigrams, and how many it may have in any case. */
const REPEATED = 3
const FEW_TRIGRAMS = 6

/**
 * Whether a form is looked for inside part numbers: not one that repeats itself, as many ones do.
 * Its pieces are at each place of a number that does so, too, and from each all of it is compared.
 */
function mayBeInside(form: string): boolean {
  const trigrams = Array.from({ length: form.length - TRIGRAM + 1 }, (_, at) =>
    form.slice(at, at + TRIGRAM),
  )
  return trigrams.length <= Math.max(FEW_TRIGRAMS, REPEATED * new Set(trigrams).size)
}

/** Every way in which a form with a digit is a part number: whole, its beginning, inside it. */
function partNumberClauses(form: string, exact: number = WEIGHTS.exact): Query[] {
  return [
    constant({ terms: { 'search.partNumbers': partNumberForms(form) } }, exact),
    constant({ prefix: { 'search.partNumbers': form } }, WEIGHTS.prefix),
    ...(mayBeInside(form)
      ? [constant({ match_phrase: { 'search.partNumbers.inside': form } }, WEIGHTS.inside)]
      : []),
  ]
}

/** What a single word may be as a part number; common short numbers only alone. */
function partNumberOf({ form }: Word, alone: boolean): Query[] {
  if (hasDigit(form)) {
    if (form.length >= PART_LENGTH) return partNumberClauses(form)
    const weight = alone ? WEIGHTS.exact : WEIGHTS.exactWord
    return [constant({ terms: { 'search.partNumbers': partNumberForms(form) } }, weight)]
  }
  if (form.length < PART_LENGTH) return []
  return [
    constant({ term: { 'search.partNumbers': form } }, WEIGHTS.exactWord),
    constant({ prefix: { 'search.partNumbers': form } }, WEIGHTS.prefixWord),
  ]
}

const match = (field: string, query: string, boost: number): Query =>
  constant({ match: { [field]: { query, operator: 'and' } } }, boost)

const textClauses = ({ text }: Word): Query[] => [
  match('search.name', text, WEIGHTS.name),
  match('search.text', text, WEIGHTS.text),
  match('search.description', text, WEIGHTS.description),
]

/** Words of the catalog that a typed one may mean, the closest. */
const CLOSE_WORDS = 25

/** Letters that may be wrong, missing, too many or in the wrong order. */
const mistakesIn = (word: string): number => {
  const { length } = [...word]
  return length < 4 ? 0 : length < 8 ? 1 : 2
}

/** What a word may be misspelt of; never one with a digit, since its neighbours are other products. */
export const misspellings = ({ text, form }: Word): { form: string; mistakes: number }[] =>
  (hasDigit(form) ? [] : misspeltForms(text))
    .map((form) => ({ form, mistakes: mistakesIn(form) }))
    .filter(({ mistakes }) => mistakes > 0)

/** Like words of this catalog alone. */
const misspeltClauses = (word: Word, scope: string): Query[] =>
  misspellings(word).map(({ form, mistakes }) => ({
    fuzzy: {
      'search.words': {
        value: catalogWord(scope, form),
        fuzziness: mistakes,
        prefix_length: CATALOG_PREFIX + 1,
        max_expansions: CLOSE_WORDS,
        rewrite: `top_terms_boost_${CLOSE_WORDS}`,
        boost: WEIGHTS.misspelt,
      },
    },
  }))

/** One clause for each different word: the best of all that it, or a run that has it, may be. */
function wordClauses(words: readonly Word[], extra: (word: Word) => readonly Query[]): Query[][] {
  const runs = runsOf(words).map(({ first, last, form }) => {
    const parts = words.slice(first, last + 1)
    // As much as a clause for each of its places would add up to.
    return { form, parts, exact: (WEIGHTS.exact * parts.length) / distinct(parts).length }
  })
  const asked = distinct(words)
  return asked.map((word) => [
    ...textClauses(word),
    ...partNumberOf(word, asked.length === 1),
    ...once(runs.filter(({ parts }) => parts.includes(word))).flatMap(({ form, exact }) =>
      partNumberClauses(form, exact),
    ),
    ...extra(word),
  ])
}

/** Repeated words make the same run at several places. */
const once = <T extends { readonly form: string }>(runs: readonly T[]): T[] => [
  ...new Map(runs.map((run) => [run.form, run])).values(),
]

/** A lift for little text in name and description, for each word; halved with so many words of it. */
const BREVITY = { each: 0.7, halved: 20 } as const

/** Of products that match alike the one with less text comes first. */
export const brevityQuery = (words: readonly Word[]): Query => ({
  function_score: {
    functions: [
      {
        exp: { 'search.length': { origin: 0, scale: BREVITY.halved, decay: 0.5 } },
        weight: BREVITY.each * distinct(words).length,
      },
    ],
    boost_mode: 'replace',
  },
})

const TIE_BREAKER = 0.1

/** All words are wanted. */
export function strictQuery(words: readonly Word[]): Query {
  const must = wordClauses(words, () => []).map((queries) => ({
    dis_max: { queries, tie_breaker: TIE_BREAKER },
  }))
  return must.length === 1 ? must[0]! : { bool: { must } }
}

/** How many words a product must have when none has all: never none. */
export const fewerWords = (words: number): number => Math.max(1, Math.floor(words * 0.6))

/** Lifts a product with more of the words above every product with fewer. */
const WORD_MATCHED = 10_000

/**
 * Fewer words and misspelt ones of the catalog `scope`; each word's clause has its place in the text
 * as its name.
 */
export function relaxedQuery(words: readonly Word[], scope: string): Query {
  const misspelt = (word: Word) => misspeltClauses(word, scope)
  const should = wordClauses(words, misspelt).map((queries, index) => ({
    bool: {
      _name: wordName(index),
      must: [{ dis_max: { queries, tie_breaker: TIE_BREAKER } }],
      should: [constant({ match_all: {} }, WORD_MATCHED)],
    },
  }))
  return { bool: { should, minimum_should_match: fewerWords(should.length) } }
}

export const wordName = (index: number): string => `word${index}`
