import type { Popular } from '../analytics/popularity.ts'
import { anyOf, constant, named, nested, range, some, term } from '../elastic/clauses.ts'
import type { Query } from '../elastic/search.ts'
import type { Language } from '../languages/language.ts'
import { valueTerm } from '../products/search-fields.ts'
import { partNumberForms, token } from '../text.ts'
import { categoryPathClause } from './category-tree.ts'
import { partName } from './clause-names.ts'
import type { Criteria, NumberRange } from './criteria.ts'
import type { Condition } from './criterion.ts'
import { strictQuery } from './keywords.ts'
import type { Tuning } from './tuning/tuning.ts'
import { understand } from './understanding/understanding.ts'

/** Whose annotations are looked at (the organization in effect, and the caller), and where. */
export interface SearchContext {
  readonly organization: string
  readonly username: string
  /** The catalog as its documents have it. */
  readonly scope: string
  /** The language of the catalog. */
  readonly language: Language
  /** What the shop set for its searches; absent: nothing. */
  readonly tuning?: Tuning | undefined
  /** What its people chose lately; absent where it does not count, as in walks. */
  readonly popular?: Popular | undefined
  /** Whether the caller may read what the shop set, as the names of its rules. */
  readonly readsSettings?: boolean | undefined
}

/** The clause of one condition: one of its values holds. Vendors are looked at without price and stock. */
export function clauseOf({ type, name, values }: Condition, context: SearchContext): Query {
  const { organization, username } = context
  const tokens = (...parts: readonly string[]) => values.map((value) => token(...parts, value))
  const terms = (...parts: readonly string[]) => values.map((value) => valueTerm(...parts, value))
  switch (type) {
    case 'manufacturer':
    case 'segment':
    case 'category':
    case 'subCategory':
      return anyOf(`search.${type}`, values)!
    case 'categoryPath':
      return some(values.map(categoryPathClause))!
    case 'vendor':
      return anyOf('search.vendors', terms())!
    case 'attribute':
      return anyOf('search.attributes', terms(name!))!
    case 'facet':
      return anyOf('search.facets', terms(name!))!
    case 'extensionField':
      return anyOf('search.fields', tokens(organization, name!))!
    case 'tag':
      return some([
        anyOf('search.tags', tokens(organization)),
        anyOf('search.userTags', tokens(organization, username)),
      ])!
    case 'favorite':
      return anyOf(
        'search.favorites',
        values.map((value) => favoriteToken(value, context)),
      )!
    case 'partNumber':
      return anyOf('search.partNumbers', values.flatMap(partNumberForms).sort())!
    case 'unspsc':
      return some(values.map(unspscClause))!
    case 'keyword':
      return some(
        values.map((value) =>
          strictQuery(
            understand(value, {
              language: context.language,
              synonyms: context.tuning?.synonyms,
            }),
            context,
          ),
        ),
      )!
  }
}

export const favoriteToken = (value: string, { organization, username }: SearchContext): string =>
  value === 'user' ? token(organization, 'user', username) : token(organization, 'company')

/** Pairs of zeros at the end of a code stand for everything below it. */
function unspscClause(code: string): Query {
  let end = code.length
  if (/^(?:\d\d)+$/.test(code)) while (end > 2 && code.endsWith('00', end)) end -= 2
  const stem = code.slice(0, end)
  return stem === code ? term('search.unspsc', code) : { prefix: { 'search.unspsc': stem } }
}

/** The product has this number, within the ends that are given. */
export function numberClause({ name, min, max }: NumberRange): Query {
  const named = term('search.numbers.name', name)
  const within = range('search.numbers.value', min, max)
  return nested('search.numbers', { bool: { filter: within ? [named, within] : [named] } })
}

/** Lifted products come first, but all boosts together stay below an exact part number. */
const BOOST = { each: 100, together: 500 } as const

/** Clauses that lift and never filter. */
export function boostClauses({ boosted, explain }: Criteria, context: SearchContext): Query[] {
  const boost = Math.min(BOOST.each, BOOST.together / boosted.length)
  return boosted.map((condition, place) =>
    named(
      constant(clauseOf(condition, context), boost),
      explain ? partName('boost', place) : undefined,
    ),
  )
}
