import { bucketsIn } from '../../elastic/answer-parts.ts'
import { anyOf, some } from '../../elastic/clauses.ts'
import { sampled, shareFor } from '../../elastic/sampled.ts'
import type { Aggregations, Query, SearchAnswer, SearchBody } from '../../elastic/search.ts'
import { grammarOf } from '../../languages/grammar.ts'
import type { Language } from '../../languages/language.ts'
import type { Steps } from '../../platform/steps.ts'
import { fold, SEPARATOR } from '../../text.ts'

const FIELDS = ['facets', 'attributes'] as const

/** The index terms for a value in any facets and attributes. */
export type ValueTerms = Readonly<Record<(typeof FIELDS)[number], readonly string[]>>

/** The most frequent values by their `valueKey`. */
export type LearnedValues = ReadonlyMap<string, ValueTerms>

/** Number of terms that are read from each field, and of values that are kept. */
const COUNTED_TERMS = 2_000
const MOST_VALUES = 300
/** Number of facets, and of attributes, that are kept for a value. */
const NAMES_OF_VALUE = 3
/** Maximum lengths in characters. Longer values are prose, and terms take up memory. */
const LONGEST = { value: 32, term: 80 } as const

/** Values that are counted; of more, those of a random sample of products. */
const COUNTED_VALUES = 500_000

const perField = (aggregation: (field: string) => Aggregations[string]): Aggregations =>
  Object.fromEntries(FIELDS.map((field) => [field, aggregation(`search.${field}`)]))

/** Requests the number of values. */
export const valuesBody: SearchBody = {
  size: 0,
  track_total_hits: false,
  aggs: perField((field) => ({ value_count: { field } })),
}

/**
 * Requests the most frequent values, given the answer to `valuesBody`. Uses `map`, since global
 * ordinals would be built for the whole index.
 */
export function frequentValuesBody({ aggregations }: SearchAnswer<unknown>): SearchBody {
  const counts = FIELDS.map((field) => (aggregations![field] as { readonly value: number }).value)
  const share = shareFor(
    counts.reduce((sum, count) => sum + count),
    COUNTED_VALUES,
  )
  const include = `.{1,${LONGEST.term}}`
  return {
    size: 0,
    track_total_hits: false,
    aggs: sampled(
      share,
      perField((field) => ({
        terms: { field, size: COUNTED_TERMS, include, execution_hint: 'map' },
      })),
    ),
  }
}

const GAPS = /[\s-]/g
const LETTER = /\p{L}/u

/** The form in which values are compared: `usb c` equals `USB-C`, and `10mm` equals `10 mm`. */
export const valueKey = (text: string): string => fold(text).replace(GAPS, '')

const NEGATIVE = new Set(['no', 'n', 'false', 'none', 'nein', 'non', 'nee'])

/** The key of a term's value, or of its name for a value like `yes`; undefined if not a word. */
function typedFor(term: string, affirmative: ReadonlySet<string>): string | undefined {
  const [name = '', value = ''] = term.split(SEPARATOR)
  if (term.length > LONGEST.term) return undefined
  const folded = fold(value)
  const key = valueKey(affirmative.has(folded) ? name : value)
  const isWord = LETTER.test(key) && key.length <= LONGEST.value && !NEGATIVE.has(folded)
  return isWord ? key : undefined
}

/** Collects the most frequent values from the counted terms. */
export function* readValues(
  answer: SearchAnswer<unknown>,
  language: Language,
): Steps<LearnedValues> {
  const { affirmative } = grammarOf(language)
  const values = new Map<string, Record<keyof ValueTerms, string[]> & { count: number }>()
  for (const field of FIELDS) {
    for (const { key: term, doc_count } of bucketsIn(answer, field)) {
      yield
      const key = typedFor(term, affirmative)
      if (key === undefined) continue
      const known = values.get(key) ?? { count: 0, facets: [], attributes: [] }
      known.count += doc_count
      if (known[field].length < NAMES_OF_VALUE) known[field].push(term)
      values.set(key, known)
    }
  }
  const commonest = [...values].sort(
    ([one, a], [other, b]) => b.count - a.count || (one < other ? -1 : 1),
  )
  return new Map(
    commonest
      .slice(0, MOST_VALUES)
      .map(([key, { facets, attributes }]) => [key, { facets, attributes }]),
  )
}

/** A clause for products that have a value. */
export const hasValue = ({ facets, attributes }: ValueTerms): Query =>
  some([anyOf('search.facets', facets), anyOf('search.attributes', attributes)])!
