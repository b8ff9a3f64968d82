import type { Query } from '../elastic/search.ts'
import { hasCompounds } from '../languages/compounds.ts'
import { type Language, textField } from '../languages/language.ts'
import { catalogWord } from '../products/catalog-words.ts'
import { partNumberForms } from '../text.ts'
import type { MatchedField, Way } from './clause-names.ts'
import type { FieldWeights } from './understanding/field-weights.ts'
import type { Alternative } from './understanding/understanding.ts'
import { hasDigit, type Word } from './understanding/words.ts'

/** Shorter forms are too common for a look at the beginning or the inside of part numbers. */
const PART_LENGTH = 3

/**
 * Ranks a match: an exact part number stands above everything that words can add up to. A match is
 * worth the same whatever else the index holds: statistics of words come from all catalogs.
 */
export const WEIGHTS = {
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
  /** The word is a part of a compound. */
  parts: 1,
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

/** Something that a word may be found as. */
export interface WordMatch {
  readonly filter: Query
  readonly weight: number
  readonly field: MatchedField
  readonly way: Way
  /** What is looked for. */
  readonly text: string
}

/** The weight that a catalog gives the fields; those that measures and unfinished words are in, none. */
function shareOf(field: MatchedField, fields: FieldWeights): number {
  if (field === 'measures' || field === 'words') return 1
  if (field === 'name.whole' || field === 'parts') return fields.name
  return fields[field]
}

/** Matches as the catalog weighs them; a field without weight is not looked at. */
export function weighed(
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

/** Every way in which a form with a digit is a part number: whole, its beginning, inside it. */
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

/** What a single word may be as a part number; common short numbers only alone. */
export function partNumberOf({ form, measures }: Word, alone: boolean): WordMatch[] {
  const short = exactNumber(form, alone ? WEIGHTS.exact : WEIGHTS.exactWord)
  if (measures) return [short]
  if (hasDigit(form)) return form.length >= PART_LENGTH ? partNumberMatches(form) : [short]
  return form.length < PART_LENGTH && !alone ? [] : [exactNumber(form, WEIGHTS.exactWord)]
}

/** All words of a text, in any order. */
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

/** Where words are looked for, and what they are worth there. */
const textFieldsOf = (language: Language): readonly (readonly [TextField, number])[] =>
  hasCompounds(language) ? [...TEXT_FIELDS, ['parts', WEIGHTS.parts]] : TEXT_FIELDS

/** Where the index has a text in a language. */
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

/** Several words stand together; what a typed word may be split into, in names and values alone. */
export function alternativeMatches({ text, kind }: Alternative, language: Language): WordMatch[] {
  const share = ALTERNATIVE_SHARE[kind]
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

/** What a word begins that is still being typed. */
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
