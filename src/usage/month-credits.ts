import type { CreditTerms } from '../operation.ts'
import type { SearchUsage } from './schemas.ts'

/** A credit taken by a search whose outcome is not recorded yet. */
export interface CreditHold {
  /** `organization/request`: the ledger entry that it stands for. */
  readonly id: string
  /** When the search can no longer be answered. Later, the hold is from a killed process. */
  readonly until: string
}

/** Bundles of one size and price that were added to a month. */
type Bundle = Readonly<SearchUsage['bundles'][number]>

/** What an account spent in a month. `taken` counts answered searches and holds. */
export interface MonthCredits {
  readonly month: string
  readonly taken: number
  /** Credits added by bundles. */
  readonly added: number
  readonly bundles: readonly Bundle[]
  readonly holds: readonly CreditHold[]
  /** When the earliest hold ends. */
  readonly until: string | null
}

/** `2026-11`, by UTC. */
export const monthOf = (time: Date): string => time.toISOString().slice(0, 7)

export const emptyMonth = (month: string): MonthCredits => ({
  month,
  taken: 0,
  added: 0,
  bundles: [],
  holds: [],
  until: null,
})

/** Credits left in the month without another bundle. */
export const remainingOf = ({ taken, added }: MonthCredits, { perMonth }: CreditTerms): number =>
  Math.max(0, perMonth + added - taken)

const withHolds = (month: MonthCredits, holds: readonly CreditHold[]): MonthCredits => ({
  ...month,
  holds,
  until: holds.reduce<string | null>(
    (first, { until }) => (first === null || until < first ? until : first),
    null,
  ),
})

/** Takes one credit, adding bundles if needed; undefined when there is none. */
export function takeCreditFrom(
  month: MonthCredits,
  terms: CreditTerms,
  hold: CreditHold,
): MonthCredits | undefined {
  // Taken by an earlier attempt whose answer was lost.
  if (month.holds.some(({ id }) => id === hold.id)) return month
  const able = enlarged(month, terms)
  if (remainingOf(able, terms) === 0) return undefined
  return withHolds({ ...able, taken: able.taken + 1 }, [...able.holds, hold])
}

/** Adds bundles until a credit is left: a lowered allowance may be overdrawn already. */
function enlarged(month: MonthCredits, terms: CreditTerms): MonthCredits {
  const { bundle, bundleCost, perMonth } = terms
  const missing = month.taken + 1 - perMonth - month.added
  if (missing <= 0 || bundle <= 0) return month
  const count = Math.ceil(missing / bundle)
  return {
    ...month,
    added: month.added + count * bundle,
    bundles: recorded(month.bundles, { credits: bundle, cost: bundleCost, count }),
  }
}

function recorded(bundles: readonly Bundle[], bundle: Bundle): readonly Bundle[] {
  const same = bundles.find(
    ({ credits, cost }) => credits === bundle.credits && cost === bundle.cost,
  )
  if (!same) return [...bundles, bundle]
  return bundles.map((one) => (one === same ? { ...one, count: one.count + bundle.count } : one))
}

/** Ends a hold. Its credit is spent, or returned when the search was not answered. */
export function releaseHold(month: MonthCredits, id: string, spent: boolean): MonthCredits {
  const holds = month.holds.filter((hold) => hold.id !== id)
  // Already released, by an attempt whose answer was lost or by another instance.
  if (holds.length === month.holds.length) return month
  return withHolds({ ...month, taken: month.taken - (spent ? 0 : 1) }, holds)
}
