import type { Variant } from './experiment.ts'

/** What a visitor did with a product that a search found. */
export const CHOICES = ['click', 'cart', 'purchase'] as const
export type Choice = (typeof CHOICES)[number]

/**
 * A search or a choice, stored without a user. The first choice from a search adds one `chosen`
 * event to it, the first `cart` or `purchase` one `converted` event. An `addition` puts a product
 * into a workspace, wherever it was found.
 */
export interface SearchEvent {
  readonly kind: 'search' | 'chosen' | 'converted' | 'addition' | Choice
  readonly catalog: string
  /** For a choice the time of its search, so that both count for the same day. */
  readonly time: string
  /** The result of `queryText`; absent without keywords. */
  readonly query?: string
  /** Number of products that the search found. */
  readonly hits?: number
  /** Whether choices from this search are reported. */
  readonly tracked?: boolean
  readonly product?: string
  /** Position of the product among all hits, from 1. */
  readonly position?: number
  /** Name of the experiment that the search is part of. */
  readonly experiment?: string
  readonly variant?: Variant
  readonly group?: number
}
