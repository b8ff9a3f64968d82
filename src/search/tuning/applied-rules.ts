import type { Condition } from '../../operation.ts'

export interface Pin {
  readonly product: string
  /** Counts from 1. */
  readonly position: number
}

export interface RuleBoost {
  /** Name of the rule. */
  readonly rule: string
  readonly condition: Condition
  /** Positive boosts, negative demotes. */
  readonly weight: number
}

/** The combined effect of all rules that apply to a search. */
export interface AppliedRules {
  readonly names: readonly string[]
  /** All must hold. */
  readonly narrowed: readonly Condition[]
  /** None may hold. */
  readonly hidden: readonly Condition[]
  readonly hiddenProducts: readonly string[]
  readonly boosts: readonly RuleBoost[]
  /** Sorted by position. Each product and each position occurs once. */
  readonly pins: readonly Pin[]
  readonly redirect: string | null
}
