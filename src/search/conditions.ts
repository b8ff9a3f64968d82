import type { Popular } from '../analytics/popularity.ts'
import { constant, named, nested, range, some, term } from '../elastic/clauses.ts'
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
  /** What its products say of their types; absent where only some are there for the caller. */
  readonly learned?: LearnedTypes | undefined
  /** Whether what the index has of words is not what the caller's products have; see visible-words.ts. */
  readonly narrowed?: boolean
  /** Whether the caller may read what the shop set, as the names of its rules. */
  readonly readsSettings?: boolean | undefined
}

/** The clause of one condition: one of its values holds. Vendors are looked at without price and stock. */
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
