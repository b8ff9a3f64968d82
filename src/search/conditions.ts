import type { Popular } from '../analytics/popularity.ts'
import { constant, namedClause, nested, range, some, term } from '../elastic/clauses.ts'
import type { Query } from '../elastic/search.ts'
import type { Language } from '../languages/language.ts'
import type { Condition } from '../operation.ts'
import { plainClause } from '../products/criterion-clauses.ts'
import { partName } from './clause-names.ts'
import type { Criteria, NumberRange } from './criteria.ts'
import { strictQuery } from './keywords.ts'
import type { LearnedTypes } from './learning/learned-types.ts'
import type { Tuning } from './tuning/tuning.ts'
import { understand } from './understanding/understanding.ts'

/** Where a search runs, for which organization and user, and by which settings. */
export interface SearchContext {
  readonly organization: string
  readonly username: string
  /** The catalog, as its documents store it. */
  readonly scope: string
  /** The language of the catalog. */
  readonly language: Language
  /** The search settings of the catalog; absent: the defaults. */
  readonly tuning?: Tuning | undefined
  /** Recently chosen products; absent when they do not count, as in walks. */
  readonly popular?: Popular | undefined
  /** Learned product types; absent when the caller sees only some products. */
  readonly learned?: LearnedTypes | undefined
  /** Whether the caller's products have fewer words than the index; see visible-words.ts. */
  readonly narrowed?: boolean
  /** Whether the caller may read the search settings, such as the names of rules. */
  readonly readsSettings?: boolean | undefined
}

/** The clause of a condition: one of its values matches. Ignores price and stock of vendors. */
export function clauseOf(condition: Condition, context: SearchContext): Query {
  if (condition.type !== 'keyword') return plainClause(condition, context)
  const { language, tuning } = context
  return some(
    condition.values.map((value) =>
      strictQuery(understand(value, { language, synonyms: tuning?.synonyms }), {
        ...context,
        inside: true,
      }),
    ),
  )!
}

/** Matches products that have the number, within the bounds if there are any. */
export function numberClause({ name, min, max }: NumberRange): Query {
  const named = term('search.numbers.name', name)
  const within = range('search.numbers.value', min, max)
  return nested('search.numbers', { bool: { filter: within ? [named, within] : [named] } })
}

/** Boosted products come first, but all boosts together score less than an exact part number. */
const BOOST = { each: 100, together: 500 } as const

/** The clauses of boosts, which add to the score but never filter. */
export function boostClauses({ boosted, explain }: Criteria, context: SearchContext): Query[] {
  const boost = Math.min(BOOST.each, BOOST.together / boosted.length)
  return boosted.map((condition, place) =>
    namedClause(constant(clauseOf(condition, context), boost), explain && partName('boost', place)),
  )
}
