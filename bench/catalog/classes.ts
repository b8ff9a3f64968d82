/** How many products a search finds decides what it costs: classes are reported apart. */
export const HIT_CLASSES = ['small', 'middle', 'large'] as const
export type HitClass = (typeof HIT_CLASSES)[number]

export interface HitRange {
  readonly from: number
  readonly to: number
}

/**
 * Up to 1,000 hits, 10,000 to 50,000, and from 200,000: scaled down for catalogs of less than
 * 500,000 products to 1 %, a tenth to a half, and 70 % of them.
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
