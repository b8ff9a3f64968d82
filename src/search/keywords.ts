import { constant } from '../elastic/clauses.ts'
import type { Query } from '../elastic/search.ts'
import { catalogWord } from '../products/catalog-words.ts'
import { partNumberForms } from '../text.ts'
import { type Alternative, type Understanding, wantedWords } from './understanding/understanding.ts'
import { distinct, hasDigit, runsOf, type Word } from './understanding/words.ts'

/** Shorter forms are too common for a look at the beginning or the inside of part numbers. */
const PART_LENGTH = 3

/**
 * Ranks a match: an exact part number stands above everything that words can add up to. A match is
 * worth the same whatever else the index holds: statistics of words come from all catalogs.
 */
const WEIGHTS = {
  name: 1.5,
  /** The word stands alone in the name, and is no piece of `ED707AA`. */
  whole: 2,
  text: 1,
  description: 1,
  measure: 2,
  exact: 1_000,
  prefix: 20,
  inside: 8,
  exactWord: 8,
  unfinished: 0.5,
} as const

/** What a match of other words is worth, of what it is worth in the words that were typed. */
const ALTERNATIVE_SHARE = { compound: 1, synonym: 0.5, spelling: 0.6 } as const

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
function partNumberOf({ form, measures }: Word, alone: boolean): Query[] {
  const exact = (weight: number) =>
    constant({ terms: { 'search.partNumbers': partNumberForms(form) } }, weight)
  if (measures) return [exact(alone ? WEIGHTS.exact : WEIGHTS.exactWord)]
  if (hasDigit(form)) {
    if (form.length >= PART_LENGTH) return partNumberClauses(form)
    return [exact(alone ? WEIGHTS.exact : WEIGHTS.exactWord)]
  }
  return form.length < PART_LENGTH ? [] : [exact(WEIGHTS.exactWord)]
}

const match = (field: string, query: string, boost: number): Query =>
  constant({ match: { [field]: { query, operator: 'and' } } }, boost)

const phrase = (field: string, query: string, boost: number): Query =>
  constant({ match_phrase: { [field]: query } }, boost)

const TEXT_FIELDS = [
  ['search.name.whole', WEIGHTS.whole],
  ['search.name', WEIGHTS.name],
  ['search.text', WEIGHTS.text],
  ['search.description', WEIGHTS.description],
] as const

const textClauses = ({ text, measures }: Word): Query[] =>
  measures
    ? [constant({ terms: { 'search.measures': [...measures] } }, WEIGHTS.measure)]
    : TEXT_FIELDS.map(([field, boost]) => match(field, text, boost))

/** Several words stand together; what a typed word may be split into, in names and values alone. */
function alternativeClauses({ text, kind }: Alternative): Query[] {
  const share = ALTERNATIVE_SHARE[kind]
  const several = text.includes(' ')
  const fields = TEXT_FIELDS.filter(
    ([field]) => kind !== 'compound' || field === 'search.name' || field === 'search.text',
  ).filter(([field]) => !several || field !== 'search.name.whole')
  return fields.map(([field, boost]) => (several ? phrase : match)(field, text, boost * share))
}

/** What a word begins that is still being typed. */
const unfinishedClauses = ({ form }: Word, scope: string): Query[] => [
  constant({ prefix: { 'search.words': catalogWord(scope, form) } }, WEIGHTS.unfinished),
  ...(form.length >= PART_LENGTH
    ? [constant({ prefix: { 'search.partNumbers': form } }, WEIGHTS.unfinished)]
    : []),
]

interface ClauseOptions {
  /** The catalog that is searched. */
  readonly scope: string
  /** A word of which only the beginning may be typed. */
  readonly unfinished: Word | undefined
}

/** One clause for each different word: the best of all that it, or a run that has it, may be. */
function wordClauses(understanding: Understanding, { scope, unfinished }: ClauseOptions): Query[] {
  const { words, alternatives } = understanding
  const runs = runsOf(words).map(({ first, last, form }) => {
    const parts = words.slice(first, last + 1)
    // As much as a clause for each of its places would add up to.
    return { form, parts, exact: (WEIGHTS.exact * parts.length) / distinct(parts).length }
  })
  const asked = wantedWords(understanding)
  return asked.map((word) =>
    best(
      [
        ...textClauses(word),
        ...partNumberOf(word, asked.length === 1),
        ...once(runs.filter(({ parts }) => parts.includes(word))).flatMap(({ form, exact }) =>
          partNumberClauses(form, exact),
        ),
      ],
      [
        ...alternatives
          .filter(({ first, last }) => words.slice(first, last + 1).includes(word))
          .flatMap(alternativeClauses),
        ...(word === unfinished ? unfinishedClauses(word, scope) : []),
      ],
    ),
  )
}

const TIE_BREAKER = 0.1

/** The best of what was typed, a little more where several match; else the best of the others. */
function best(typed: readonly Query[], others: readonly Query[]): Query {
  const query = { dis_max: { queries: [...typed], tie_breaker: TIE_BREAKER } }
  return others.length === 0 ? query : { dis_max: { queries: [query, ...others] } }
}

/** Repeated words make the same run at several places. */
const once = <T extends { readonly form: string }>(runs: readonly T[]): T[] => [
  ...new Map(runs.map((run) => [run.form, run])).values(),
]

const ABSENT = ['no', 'without', 'ohne', 'kein', 'keine']

/** Products without a word that is not wanted, unless they say themselves that they are without it. */
const excludedClauses = ({ excluded }: Understanding): Query[] =>
  excluded.map(({ text }) => ({
    bool: {
      should: ['search.name', 'search.text'].map((field) => match(field, text, 1)),
      must_not: ABSENT.flatMap((no) =>
        ['search.name', 'search.text'].map((field) => phrase(field, `${no} ${text}`, 1)),
      ),
      minimum_should_match: 1,
    },
  }))

const excluding = (understanding: Understanding): { must_not?: Query[] } => {
  const clauses = excludedClauses(understanding)
  return clauses.length > 0 ? { must_not: clauses } : {}
}

/** All words are wanted. */
export function strictQuery(understanding: Understanding, scope: string): Query {
  const { unfinished } = understanding
  const must = wordClauses(understanding, { scope, unfinished })
  const excluded = excluding(understanding)
  return must.length === 1 && !excluded.must_not ? must[0]! : { bool: { must, ...excluded } }
}

/** How many words a product must have when none has all: never none. */
export const fewerWords = (words: number): number => Math.max(1, Math.floor(words * 0.6))

/** Lifts a product with more of the words above every product with fewer. */
const WORD_MATCHED = 10_000

/**
 * Fewer words, the last of which may be unfinished; each word's clause has its place among the
 * wanted ones as its name.
 */
export function relaxedQuery(understanding: Understanding, scope: string): Query {
  const { words } = understanding
  const last = words.at(-1)
  const should = wordClauses(understanding, { scope, unfinished: last }).map((query, index) => ({
    bool: {
      _name: wordName(index),
      must: [query],
      should: [constant({ match_all: {} }, WORD_MATCHED)],
    },
  }))
  return {
    bool: {
      should,
      minimum_should_match: fewerWords(should.length),
      ...excluding(understanding),
    },
  }
}

export const wordName = (index: number): string => `word${index}`
