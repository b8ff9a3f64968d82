/** The cost of a search depends on how many products it finds, so each class is reported apart. */
export const HIT_CLASSES = ['small', 'middle', 'large'] as const
export type HitClass = (typeof HIT_CLASSES)[number]

export interface HitRange {
  readonly from: number
  readonly to: number
}

/**
 * Ranges of hits: up to 1,000, 10,000 to 50,000, and from 200,000. For catalogs of less than
 * 500,000 products they are scaled down to 1 %, 10 to 50 %, and 70 % of the products.
 */
export function hitRanges(products: number): Record<HitClass, HitRange> {
  const share = (part: number) => Math.round(products * part)
  return {
    small: { from: 1, to: Math.min(1_000, share(0.01)) },
    middle: { from: Math.min(10_000, share(0.1)), to: Math.min(50_000, share(0.5)) },
    large: { from: Math.min(200_000, share(0.7)), to: products },
  }
}

export function classOf(hits: number, ranges: Record<HitClass, HitRange>): HitClass | undefined {
  return HIT_CLASSES.find((name) => hits >= ranges[name].from && hits <= ranges[name].to)
}
