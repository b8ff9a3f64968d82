import { LRUCache } from 'lru-cache'
import { limits } from '../limits.ts'
import type { Clock } from './clock.ts'

/** A token bucket per owner: requests per second, with some seconds' worth of burst. */
export interface RateLimiter {
  /**
   * Takes `weight` requests and returns 0, or takes none and returns the seconds until there is
   * room. `perSecond` replaces the common rate for this owner.
   */
  take(owner: string, options?: { weight?: number; perSecond?: number }): number
  /**
   * Charges `weight` requests even beyond the limit, for work that turned out heavier. At most a
   * burst stays owed, or all of it with `inFull`.
   */
  charge(owner: string, weight: number, options?: { perSecond?: number; inFull?: boolean }): void
  /** Whether an owner made a request recently. */
  knows(owner: string): boolean
  forget(owner: string): void
}

interface TokenBucket {
  left: number
  /** Milliseconds since the epoch for which `left` holds. */
  at: number
}

/**
 * `perSecond`: requests per owner; 0 disables the limit. Those of `seconds` may come at once. Idle
 * owners are forgotten first.
 */
export function createRateLimiter(
  clock: Clock,
  perSecond: number,
  { seconds = limits.rateSeconds }: { seconds?: number } = {},
): RateLimiter {
  const mostOf = (rate: number) => (rate === 0 ? Number.POSITIVE_INFINITY : rate * seconds)
  const buckets = new LRUCache<string, TokenBucket>({ max: limits.rateOwners })

  /** The owner's bucket as it is now. */
  const bucketOf = (owner: string, rate: number): TokenBucket => {
    const most = mostOf(rate)
    const now = clock.now().getTime()
    const bucket = buckets.get(owner) ?? { left: most, at: now }
    bucket.left = Math.min(most, bucket.left + (Math.max(0, now - bucket.at) / 1_000) * rate)
    bucket.at = now
    buckets.set(owner, bucket)
    return bucket
  }

  return {
    take(owner, { weight = 1, perSecond: rate = perSecond } = {}) {
      const bucket = bucketOf(owner, rate)
      const missing = Math.min(weight, mostOf(rate)) - bucket.left
      if (missing > 0) return Math.ceil(missing / rate)
      bucket.left -= weight
      return 0
    },
    charge(owner, weight, { perSecond: rate = perSecond, inFull = false } = {}) {
      const bucket = bucketOf(owner, rate)
      const left = bucket.left - weight
      bucket.left = inFull ? left : Math.max(-mostOf(rate), left)
    },
    knows: (owner) => buckets.has(owner),
    forget: (owner) => void buckets.delete(owner),
  }
}
