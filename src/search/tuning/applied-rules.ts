import type { Condition } from '../../operation.ts'

export interface Pin {
  readonly product: string
  /** From 1. */
  readonly position: number
}

export interface Lift {
  /** Name of the rule. */
  readonly rule: string
  readonly condition: Condition
  /** Negative lowers. */
  readonly weight: number
}

/** What the rules that apply to a search do, all together. */
export interface AppliedRules {
  readonly names: readonly string[]
  /** Every one holds. */
  readonly narrowed: readonly Condition[]
  /** None holds. */
  readonly hidden: readonly Condition[]
  readonly hiddenProducts: readonly string[]
  readonly lifts: readonly Lift[]
  /** By position; each product and each position once. */
  readonly pins: readonly Pin[]
  readonly redirect: string | null
}
