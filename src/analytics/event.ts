import type { Variant } from './experiment.ts'

/** What somebody did with a product that a search found. */
export const CHOICES = ['click', 'cart', 'purchase'] as const
export type Choice = (typeof CHOICES)[number]

/**
 * What is kept of searches and choices, nobody's name in it. A search of which anything was chosen
 * has one event `chosen`, and one `converted` when that was to have it (`cart`, `purchase`). An
 * `addition` is of a product to a workspace, wherever it was found.
 */
export interface SearchEvent {
  readonly kind: 'search' | 'chosen' | 'converted' | 'addition' | Choice
  readonly catalog: string
  /** Of choices the search's, so that both count for the same day. */
  readonly time: string
  /** As `queryText` writes it; absent without words. */
  readonly query?: string
  /** Products that the search found. */
  readonly hits?: number
  /** Whether its page reports choices. */
  readonly tracked?: boolean
  readonly product?: string
  /** Its place among all hits, from 1. */
  readonly position?: number
  /** Of searches that an experiment compares, and of what was chosen of them. */
  readonly experiment?: string
  readonly variant?: Variant
  readonly group?: number
}
