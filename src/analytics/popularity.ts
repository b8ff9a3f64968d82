import { all, term } from '../elastic/clauses.ts'
import { sampled } from '../elastic/sampled.ts'
import type { Query, SearchBody } from '../elastic/search.ts'
import { CHOICES } from './event.ts'

/** Product ids of a catalog in tiers by recent popularity, the most popular tier first. */
export type Popular = readonly (readonly string[])[]

/** Weight of each action in the score of a product. */
const WORTH = { click: 1, cart: 3, addition: 3, purchase: 5 } as const
type CountedAction = keyof typeof WORTH
const KINDS: readonly CountedAction[] = [...CHOICES, 'addition']

/** The least score that counts: a single click may be chance. */
const LEAST = 2
/** Ranks in each tier; `to` is exclusive. */
const TIERS = [
  { from: 0, to: 10 },
  { from: 10, to: 50 },
  { from: 50, to: 200 },
] as const

/** Number of products that are scored: those with the most actions, regardless of weight. */
const CANDIDATES = 500

export const choicesQuery = (catalog: string, since: Date): Query =>
  all([
    term('catalog', catalog),
    { terms: { kind: [...KINDS] } },
    { range: { time: { gte: since.getTime() } } },
  ])!

/** Uses `map`, since global ordinals would include what all organizations chose. */
export const popularBody = (choices: Query, share: number): SearchBody => ({
  size: 0,
  track_total_hits: false,
  query: choices,
  aggs: sampled(share, {
    products: {
      terms: { field: 'product', size: CANDIDATES, execution_hint: 'map' },
      aggs: Object.fromEntries(KINDS.map((kind) => [kind, { filter: term('kind', kind) }])),
    },
  }),
})

export type ProductBucket = { readonly key: string } & Readonly<
  Record<CountedAction, { readonly doc_count: number }>
>

/** Products in tiers by their scores; equal scores are ordered by id. */
export function tiersOf(buckets: readonly ProductBucket[]): Popular {
  const ids = buckets
    .map((bucket) => ({ id: bucket.key, score: scoreOf(bucket) }))
    .filter(({ score }) => score >= LEAST)
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
    .map(({ id }) => id)
  return TIERS.map(({ from, to }) => ids.slice(from, to)).filter((tier) => tier.length > 0)
}

const scoreOf = (bucket: ProductBucket): number =>
  KINDS.reduce((sum, kind) => sum + bucket[kind].doc_count * WORTH[kind], 0)
