import { some } from '../elastic/clauses.ts'
import type { Query } from '../elastic/search.ts'
import { hasCompounds } from '../languages/compounds.ts'
import { type Language, textField } from '../languages/language.ts'
import { catalogWord } from '../products/catalog-words.ts'
import { partNumberForms } from '../text.ts'
import type { MatchedField, NamedMatch } from './clause-names.ts'
import type { FieldWeights } from './tuning/schemas.ts'
import type { Alternative } from './understanding/alternative.ts'
import { hasDigit, type Word } from './understanding/words.ts'

/** Shorter forms are too common to look for at the beginning or inside of part numbers. */
const PART_LENGTH = 3

/**
 * Scores of matches. An exact part number scores more than all words together. Scores are constant,
 * since term statistics in the index come from all catalogs.
 */
export const WEIGHTS = {
  name: 1.5,
  /** The word is a whole word of the name, not a piece of one like `ED707AA`. */
  whole: 2,
  text: 1,
  description: 1,
  measure: 2,
  exact: 1_000,
  prefix: 20,
  inside: 8,
  exactWord: 8,
  /** The word is a part of a compound. */
  parts: 1,
  unfinished: 0.5,
} as const

/** Share of the score that a match of an alternative gets. */
const ALTERNATIVE_SHARE = { compound: 1, synonym: 0.5, spelling: 0.6 } as const

/** Length of the n-grams in the index of part numbers. */
const TRIGRAM = 3
/** How often a form may repeat its trigrams, and the number that is always allowed. */
const REPEATED = 3
const FEW_TRIGRAMS = 6

/**
 * Whether a form is looked for inside part numbers. Repetitive forms like `1111111` are not, since
 * a phrase query on them compares every position of part numbers that are repetitive, too.
 */
function mayBeInside(form: string): boolean {
  const trigrams = Array.from({ length: form.length - TRIGRAM + 1 }, (_, at) =>
    form.slice(at, at + TRIGRAM),
  )
  return trigrams.length <= Math.max(FEW_TRIGRAMS, REPEATED * new Set(trigrams).size)
}

/** One way in which a word may match. */
export interface WordMatch extends NamedMatch {
  readonly filter: Query
  readonly weight: number
}

/** The catalog's weight for a field; always 1 for measures and unfinished words. */
function shareOf(field: MatchedField, fields: FieldWeights): number {
  if (field === 'measures' || field === 'words') return 1
  if (field === 'name.whole' || field === 'parts') return fields.name
  return fields[field]
}

/** Applies the field weights of the catalog. Fields with weight 0 are left out. */
export function withFieldWeights(
  matches: readonly WordMatch[],
  fields: FieldWeights | undefined,
): WordMatch[] {
  if (!fields) return [...matches]
  return matches.flatMap((match) => {
    const share = shareOf(match.field, fields)
    return share === 0 ? [] : [{ ...match, weight: match.weight * share }]
  })
}

const exactNumber = (form: string, weight: number): WordMatch => ({
  filter: { terms: { 'search.partNumbers': partNumberForms(form) } },
  weight,
  field: 'partNumbers',
  way: 'partNumber',
  text: form,
})

const begunNumber = (form: string, weight: number): WordMatch => ({
  filter: { prefix: { 'search.partNumbers': form } },
  weight,
  field: 'partNumbers',
  way: 'partNumberPrefix',
  text: form,
})

/** Matches of a form with a digit: the whole part number, its beginning, or inside it. */
export function partNumberMatches(form: string, exact: number = WEIGHTS.exact): WordMatch[] {
  const inside: WordMatch = {
    filter: { match_phrase: { 'search.partNumbers.inside': form } },
    weight: WEIGHTS.inside,
    field: 'partNumbers',
    way: 'partNumberInside',
    text: form,
  }
  return [
    exactNumber(form, exact),
    begunNumber(form, WEIGHTS.prefix),
    ...(mayBeInside(form) ? [inside] : []),
  ]
}

/** Part number matches of a single word. Short numbers are common, so they score less. */
export function partNumberOf({ form, measures }: Word, alone: boolean): WordMatch[] {
  const short = exactNumber(form, alone ? WEIGHTS.exact : WEIGHTS.exactWord)
  if (measures) return [short]
  if (hasDigit(form)) return form.length >= PART_LENGTH ? partNumberMatches(form) : [short]
  return form.length < PART_LENGTH && !alone ? [] : [exactNumber(form, WEIGHTS.exactWord)]
}

/** Matches all words of a text, in any order. */
export const matchAll = (field: string, query: string): Query => ({
  match: { [field]: { query, operator: 'and' } },
})

export const phrase = (field: string, query: string): Query => ({
  match_phrase: { [field]: query },
})

const TEXT_FIELDS = [
  ['name.whole', WEIGHTS.whole],
  ['name', WEIGHTS.name],
  ['text', WEIGHTS.text],
  ['description', WEIGHTS.description],
] as const

type TextField = (typeof TEXT_FIELDS)[number][0] | 'parts'

/** The fields in which words are looked for, with their scores. */
const textFieldsOf = (language: Language): readonly (readonly [TextField, number])[] =>
  hasCompounds(language) ? [...TEXT_FIELDS, ['parts', WEIGHTS.parts]] : TEXT_FIELDS

/** The index field for a text in a language. */
const fieldIn = (field: TextField, language: Language): string =>
  field === 'name.whole' ? `${textField(language, 'name')}.whole` : textField(language, field)

export function textMatches({ text, measures }: Word, language: Language): WordMatch[] {
  if (measures) {
    const filter = { terms: { 'search.measures': [...measures] } }
    return [{ filter, weight: WEIGHTS.measure, field: 'measures', way: 'measure', text }]
  }
  return textFieldsOf(language).map(([field, weight]) => ({
    filter: matchAll(fieldIn(field, language), text),
    weight,
    field,
    way: 'word',
    text,
  }))
}

/** Matches all words of a text in name, values and parts of compounds, each in any of them. */
const wordsAnywhere = (text: string, language: Language): Query => {
  const fields = (['name', 'text', 'parts'] as const).map((field) => fieldIn(field, language))
  const filter = text.split(' ').map((word) => some(fields.map((field) => matchAll(field, word)))!)
  return { bool: { filter } }
}

/** Several words match as a phrase. Compounds are looked for only in the name and the values. */
export function alternativeMatches(
  { text, kind, isNonAdjacent = false }: Alternative,
  language: Language,
): WordMatch[] {
  const share = ALTERNATIVE_SHARE[kind]
  if (isNonAdjacent) {
    const filter = wordsAnywhere(text, language)
    return [{ filter, weight: WEIGHTS.parts * share, field: 'parts', way: kind, text }]
  }
  const several = text.includes(' ')
  const fields = textFieldsOf(language)
    .filter(([field]) => kind !== 'compound' || field === 'name' || field === 'text')
    .filter(([field]) => !several || (field !== 'name.whole' && field !== 'parts'))
  return fields.map(([field, weight]) => ({
    filter: (several ? phrase : matchAll)(fieldIn(field, language), text),
    weight: weight * share,
    field,
    way: kind,
    text,
  }))
}

/** Matches words and part numbers that begin with an unfinished word. */
export const unfinishedMatches = ({ form }: Word, scope: string): WordMatch[] => [
  {
    filter: { prefix: { 'search.words': catalogWord(scope, form) } },
    weight: WEIGHTS.unfinished,
    field: 'words',
    way: 'prefix',
    text: form,
  },
  ...(form.length >= PART_LENGTH ? [begunNumber(form, WEIGHTS.unfinished)] : []),
]
