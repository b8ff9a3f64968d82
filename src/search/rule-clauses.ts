import { anyOf, constant, namedClause, none, present } from '../elastic/clauses.ts'
import type { Query } from '../elastic/search.ts'
import type { Condition } from '../operation.ts'
import { partName } from './clause-names.ts'
import { clauseOf, type SearchContext } from './conditions.ts'
import type { Criteria } from './criteria.ts'
import type { AppliedRules } from './tuning/applied-rules.ts'

/** Filters for what rules hide and narrow to. */
export const ruleClauses = (rules: AppliedRules, context: SearchContext): Query[] =>
  present([
    ...rules.narrowed.map((condition) => clauseOf(condition, context)),
    none([
      anyOf('search.id', rules.hiddenProducts),
      ...rules.hidden.map((condition) => clauseOf(condition, context)),
    ]),
  ])

/** Boosts of rules. Scores cannot be negative, so demoting products boosts all others. */
export const ruleBoostClauses = (
  { boosts }: AppliedRules,
  context: SearchContext,
  explain: boolean,
): Query[] =>
  boosts.map(({ rule, condition, weight }, place) => {
    const clause = clauseOf(condition, context)
    const boost = weight > 0 ? constant(clause, weight) : constant(none([clause])!, -weight)
    const name = context.readsSettings ? rule : place
    return namedClause(boost, explain && partName('rule', name, textOf(condition)))
  })

/** Names a clause after its condition, as in `Colour: Red`, since clause names must be unique. */
const textOf = ({ name, values }: Condition): string =>
  name === null ? values.join(', ') : `${name}: ${values.join(', ')}`

/** Adds pinned products to the matches, whatever words they have. */
export function withPinned({ rules }: Criteria, words: Query | undefined): Query | undefined {
  const pinned = anyOf('search.id', rules?.pins.map(({ product }) => product) ?? [])
  if (!words || !pinned) return words
  return { bool: { should: [words, constant(pinned, 0)], minimum_should_match: 1 } }
}
