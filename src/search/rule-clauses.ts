import { anyOf, constant, named, none, present } from '../elastic/clauses.ts'
import type { Query } from '../elastic/search.ts'
import type { Condition } from '../operation.ts'
import { partName } from './clause-names.ts'
import { clauseOf, type SearchContext } from './conditions.ts'
import type { Criteria } from './criteria.ts'
import type { AppliedRules } from './tuning/applied-rules.ts'

/** What rules leave out and narrow by. */
export const ruleClauses = (rules: AppliedRules, context: SearchContext): Query[] =>
  present([
    ...rules.narrowed.map((condition) => clauseOf(condition, context)),
    none([
      anyOf('search.id', rules.hiddenProducts),
      ...rules.hidden.map((condition) => clauseOf(condition, context)),
    ]),
  ])

/** What rules lift by. A score is never negative: what is lowered has everything else lifted. */
export const liftClauses = (
  { lifts }: AppliedRules,
  context: SearchContext,
  explain: boolean,
): Query[] =>
  lifts.map(({ rule, condition, weight }, place) => {
    const clause = clauseOf(condition, context)
    const lift = weight > 0 ? constant(clause, weight) : constant(none([clause])!, -weight)
    return named(
      lift,
      explain
        ? partName('rule', context.readsSettings ? rule : place, textOf(condition))
        : undefined,
    )
  })

/** `Colour: Red`; each name may be given once. */
const textOf = ({ name, values }: Condition): string =>
  name === null ? values.join(', ') : `${name}: ${values.join(', ')}`

/** Pinned products are found whatever words they have. */
export function withPinned({ rules }: Criteria, words: Query | undefined): Query | undefined {
  const pinned = anyOf('search.id', rules?.pins.map(({ product }) => product) ?? [])
  if (!words || !pinned) return words
  return { bool: { should: [words, constant(pinned, 0)], minimum_should_match: 1 } }
}
