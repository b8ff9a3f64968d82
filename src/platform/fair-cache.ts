import { LRUCache } from 'lru-cache'

interface FairCacheBounds {
  /** Size of all values together. */
  readonly most: number
  /** Size up to which an owner keeps its values while others have more. */
  readonly share: number
  /** Milliseconds for which a value that nobody uses is kept. */
  readonly unusedMs: number
}

interface FairCacheEntry<V> {
  readonly value: V
  readonly owner: string
  readonly size: number
}

/**
 * Caches large values. When they are too many, owners with several that exceed a share lose what
 * was unused for longest, and the others only when nobody has more.
 */
export function createFairCache<V>({ most, share, unusedMs }: FairCacheBounds) {
  const kept = new LRUCache<string, FairCacheEntry<V>>({
    maxSize: most,
    sizeCalculation: ({ size }) => size,
    ttl: unusedMs,
    ttlAutopurge: true,
    updateAgeOnGet: true,
  })

  function makeRoom({ owner, size }: FairCacheEntry<V>): void {
    let excess = kept.calculatedSize + size - most
    if (excess <= 0) return
    const sizes = new Map([[owner, size]])
    for (const one of kept.values()) sizes.set(one.owner, (sizes.get(one.owner) ?? 0) + one.size)
    for (const key of [...kept.rkeys()]) {
      const one = kept.peek(key)!
      const left = sizes.get(one.owner)! - one.size
      if (excess <= 0) return
      if (left === 0 || left + one.size <= share) continue
      kept.delete(key)
      sizes.set(one.owner, left)
      excess -= one.size
    }
  }

  return {
    get: (key: string): V | undefined => kept.get(key)?.value,
    set(key: string, entry: FairCacheEntry<V>): void {
      kept.delete(key)
      makeRoom(entry)
      kept.set(key, entry)
    },
  }
}

export type FairCache<V> = ReturnType<typeof createFairCache<V>>
