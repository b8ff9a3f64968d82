import { anyOf, some } from '../../elastic/clauses.ts'
import type { Aggregations, Query, SearchAnswer } from '../../elastic/search.ts'
import { grammarOf } from '../../languages/grammar.ts'
import type { Language } from '../../languages/language.ts'
import type { Steps } from '../../platform/steps.ts'
import { fold, SEPARATOR } from '../../text.ts'

const FIELDS = ['facets', 'attributes'] as const

/** Terms of the index that have a value, of whatever facets and attributes. */
export type ValueTerms = Readonly<Record<(typeof FIELDS)[number], readonly string[]>>

/** The values that most products have, by how they are typed. */
export type LearnedValues = ReadonlyMap<string, ValueTerms>

/** Terms of each field that are looked at, and values that are kept, the commonest. */
const COUNTED_TERMS = 2_000
const MOST_VALUES = 300
/** Names of facets, and of attributes, that a value is known of. */
const NAMES_OF_VALUE = 3
/** Characters: longer values are texts, and terms take up memory. */
const LONGEST = { value: 32, term: 80 } as const

/** Ordinals would be made for all of the index. */
export const valuesAggregations: Aggregations = Object.fromEntries(
  FIELDS.map((field) => [
    field,
    { terms: { field: `search.${field}`, size: COUNTED_TERMS, execution_hint: 'map' } },
  ]),
)

const GAPS = /[\s-]/g
const LETTER = /\p{L}/u

/** A value as it is compared with what is typed: `usb c` is `USB-C`, and `10mm` is `10 mm`. */
export const valueKey = (text: string): string => fold(text).replace(GAPS, '')

const NEGATIVE = new Set(['no', 'n', 'false', 'none', 'nein', 'non', 'nee'])

/** What is typed for a term: its value, or the name where that is only affirmed; undefined for no word. */
function typedFor(term: string, affirmative: ReadonlySet<string>): string | undefined {
  const [name = '', value = ''] = term.split(SEPARATOR)
  if (term.length > LONGEST.term) return undefined
  const folded = fold(value)
  const key = valueKey(affirmative.has(folded) ? name : value)
  const isWord = LETTER.test(key) && key.length <= LONGEST.value && !NEGATIVE.has(folded)
  return isWord ? key : undefined
}

interface TermBuckets {
  readonly buckets: readonly { readonly key: string; readonly doc_count: number }[]
}

/** Makes of the counted terms what is learned. */
export function* readValues(
  { aggregations = {} }: SearchAnswer<unknown>,
  language: Language,
): Steps<LearnedValues> {
  const { affirmative } = grammarOf(language)
  const values = new Map<string, Record<keyof ValueTerms, string[]> & { count: number }>()
  for (const field of FIELDS) {
    const { buckets } = (aggregations[field] ?? { buckets: [] }) as unknown as TermBuckets
    for (const { key: term, doc_count } of buckets) {
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
