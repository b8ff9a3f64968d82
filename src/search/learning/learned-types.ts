import { bucketsIn, countIn } from '../../elastic/answer-parts.ts'
import { anyOf, constant } from '../../elastic/clauses.ts'
import type { Aggregations, Hit, Query, SearchAnswer, SearchBody } from '../../elastic/search.ts'
import { type Language, textField } from '../../languages/language.ts'
import type { Steps } from '../../platform/steps.ts'
import { CATALOG_PREFIX, singular } from '../../products/catalog-words.ts'
import { isKnownAccessory, productTypes } from '../../products/product-type.ts'
import { fold } from '../../text.ts'
import { phrase } from '../word-matches.ts'
import { type LearnedValues, readValues } from './learned-values.ts'

/** What is learned about product types from all products of a catalog. */
export interface LearnedTypes {
  /** Folded accessory types in alphabetical order, without those known for every catalog. */
  readonly accessories: readonly string[]
  /** UNSPSC codes by the types that most of their products have. */
  readonly codes: ReadonlyMap<string, readonly string[]>
  /** The most frequent values of facets and attributes. */
  readonly values: LearnedValues
}

export const NOTHING_LEARNED: LearnedTypes = {
  accessories: [],
  codes: new Map(),
  values: new Map(),
}

/** Returns a clause for products of a type, in the language of the catalog. */
export type TypeClause = (types: readonly string[]) => Query

/** Follows the type of an accessory: `cover for iPhone`. */
const FOR = 'for'

/** Number of names that are read to find candidate words. */
const SAMPLED_NAMES = 500
const NAME = textField('en', 'name')
/** Number of words that are counted, and the number of names that each must be in. */
const COUNTED_WORDS = 32
const LEAST_NAMES = 3

/** Requests a random sample of English names that contain `for`. */
export const namesBody: SearchBody = {
  size: SAMPLED_NAMES,
  track_total_hits: false,
  _source: false,
  stored_fields: [NAME],
  query: {
    function_score: {
      query: phrase(NAME, FOR),
      functions: [{ random_score: { seed: 1, field: '_seq_no' } }],
      boost_mode: 'replace',
    },
  },
}

/** A hit with some fields of the index, since reading whole documents may take seconds. */
type FieldsHit = Pick<Hit<unknown>, 'fields'>

const textIn = ({ fields }: FieldsHit, name: string): string | null =>
  (fields?.[name] as readonly string[] | undefined)?.[0] ?? null

/** Words that stand directly before `for` in several names, the most frequent first. */
export function wordsBeforeFor({ hits }: SearchAnswer<unknown>): string[] {
  const counts = new Map<string, number>()
  for (const hit of hits.hits) {
    const words = fold(textIn(hit, NAME) ?? '').split(' ')
    const found = words
      .filter((word, at) => WORD.test(word) && words[at + 1] === FOR)
      .map((word) => singular(word))
    for (const word of new Set(found)) counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  return [...counts]
    .filter(([word, names]) => names >= LEAST_NAMES && !isKnownAccessory(word))
    .sort(([word, names], [other, others]) => others - names || (word < other ? -1 : 1))
    .slice(0, COUNTED_WORDS)
    .map(([word]) => word)
}

const WORD = /^\p{L}[\p{L}-]{2,31}$/u

/** Number of products that are counted per shard, since each is matched against every word. */
const COUNTED_PRODUCTS = 100_000

/** Number of UNSPSC codes that are read, the most frequent ones, and of products for each. */
const CODES = 200
const PRODUCTS_OF_CODE = 8

/** Counts the products of each type, those with it before `for`, and samples each code. */
export const evidenceBody = (
  words: readonly string[],
  isOf: TypeClause,
  language: Language,
): SearchBody => ({
  size: 0,
  track_total_hits: false,
  terminate_after: COUNTED_PRODUCTS,
  aggs: {
    ...Object.fromEntries(words.flatMap((word, at) => countsOf(word, at, isOf))),
    codes: {
      terms: { field: 'search.unspsc', size: CODES, shard_size: CODES, execution_hint: 'map' },
      aggs: {
        products: {
          top_hits: {
            size: PRODUCTS_OF_CODE,
            _source: false,
            stored_fields: [textField(language, 'name')],
            docvalue_fields: [MANUFACTURER, CATEGORY, SUB_CATEGORY],
          },
        },
      },
    },
  },
})

const MANUFACTURER = 'search.manufacturer'
const CATEGORY = 'search.category'
const SUB_CATEGORY = 'search.subCategory'

const countsOf = (word: string, at: number, isOf: TypeClause): [string, Aggregations[string]][] => [
  [`all${at}`, { filter: isOf([word]) }],
  [`for${at}`, { filter: { bool: { filter: [isOf([word]), phrase(NAME, `${word} ${FOR}`)] } } }],
]

/** The least number and share of a type's products with the type before `for` in their names. */
const ACCESSORY = { products: 5, share: 0.1 } as const
/** The most terms that Elasticsearch looks up one by one. */
const MOST_ACCESSORIES = 16

/** Learns types from the responses to `evidenceBody` and `frequentValuesBody`, merged into one. */
export function* learnedFrom(
  answer: SearchAnswer<unknown>,
  words: readonly string[],
  language: Language,
): Steps<LearnedTypes> {
  const accessories = words
    .map((word, at) => ({
      word,
      all: countIn(answer, `all${at}`),
      names: countIn(answer, `for${at}`),
    }))
    .filter(({ all, names }) => names >= ACCESSORY.products && names >= ACCESSORY.share * all)
    .sort((a, b) => b.names - a.names || (a.word < b.word ? -1 : 1))
    .slice(0, MOST_ACCESSORIES)
    .map(({ word }) => word)
    .sort()
  const codes = new Map<string, string[]>()
  for (const { key, products } of bucketsIn<CodeBucket>(answer, 'codes')) {
    for (const type of typesOfMost(products.hits.hits, language)) {
      codes.set(type, [...(codes.get(type) ?? []), key.slice(CATALOG_PREFIX)])
    }
    yield
  }
  return { accessories, codes, values: yield* readValues(answer, language) }
}

interface CodeBucket {
  readonly key: string
  readonly products: { readonly hits: { readonly hits: readonly FieldsHit[] } }
}

/** A type belongs to a code if this many of the sampled products have it, and at least half. */
const LEAST_OF_CODE = 3

function typesOfMost(hits: readonly FieldsHit[], language: Language): string[] {
  const types = hits.flatMap((hit) =>
    productTypes(
      {
        name: textIn(hit, textField(language, 'name')),
        manufacturer: textIn(hit, MANUFACTURER),
        category: textIn(hit, CATEGORY),
        subCategory: textIn(hit, SUB_CATEGORY),
        attributes: {},
        facets: {},
      },
      language,
    ),
  )
  const least = Math.max(LEAST_OF_CODE, hits.length / 2)
  return [...Map.groupBy(types, (type) => type)]
    .filter(([, { length }]) => length >= least)
    .map(([type]) => type)
}

/** A clause for products that have a code of one of the types; undefined if no code is known. */
export function codeClause(
  { codes }: Pick<LearnedTypes, 'codes'>,
  types: readonly string[],
  boost: number,
): Query | undefined {
  const forms = types.map((type) => fold(type)).flatMap((type) => [type, singular(type)])
  const known = new Set(forms.flatMap((form) => codes.get(form) ?? []))
  const clause = anyOf('search.unspsc', [...known].sort())
  return clause && constant(clause, boost)
}
