/** Batches written concurrently. */
const AT_ONCE = 3
/** Batches that are written or wait for a slow commit. */
const UNCOMMITTED = 8

/**
 * Keeps a few batches in flight, never two with the same product, and commits them in order. After
 * a failure for which `isOver` is true, no run resumes, so later batches are committed as well and
 * their writes count.
 */
export function createBatchesInFlight(isOver: (failure: unknown) => boolean = () => false) {
  const flying = new Set<Promise<unknown>>()
  const uncommitted = new Set<Promise<void>>()
  const products = new Map<string, Promise<unknown>>()
  let committed: Promise<void> = Promise.resolve()
  let failed: { readonly reason: unknown } | undefined
  return {
    /** Waits until there is room for another batch. Throws the failure of an earlier one. */
    async waitForRoom(): Promise<void> {
      while (flying.size >= AT_ONCE) await Promise.race(flying)
      while (uncommitted.size >= UNCOMMITTED) await Promise.race(uncommitted)
      if (failed) throw failed.reason
    },
    /** Whether one of these products is being written. */
    isWriting: (ids: readonly string[]): boolean => ids.some((id) => products.has(id)),
    /** Waits until none of these products is being written. */
    async waitForProducts(ids: Iterable<string>): Promise<void> {
      const earlier = new Set<Promise<unknown>>()
      for (const id of ids) {
        const writing = products.get(id)
        if (writing) earlier.add(writing)
      }
      await Promise.all(earlier)
    },
    /** Runs `commit` when `work` and all batches before it are done. */
    start<T>(ids: readonly string[], work: Promise<T>, commit: (result: T) => Promise<void>): void {
      flying.add(work)
      for (const id of ids) products.set(id, work)
      const land = () => {
        flying.delete(work)
        for (const id of ids) if (products.get(id) === work) products.delete(id)
      }
      work.then(land, land)
      const before = committed
      committed = (async () => {
        const [earlier, own] = await Promise.allSettled([before, work])
        if (earlier.status === 'rejected' && !isOver(earlier.reason)) throw earlier.reason
        if (own.status === 'fulfilled') await commit(own.value)
        if (earlier.status === 'rejected') throw earlier.reason
        if (own.status === 'rejected') throw own.reason
      })()
      const done = committed
      uncommitted.add(done)
      // `waitForRoom` and `allCommitted` report the failure, so it is not an unhandled rejection.
      done
        .catch((reason: unknown) => {
          failed ??= { reason }
        })
        .finally(() => uncommitted.delete(done))
    },
    async allWritten(): Promise<void> {
      await Promise.allSettled(flying)
    },
    /** Rejects with the first failure. */
    allCommitted: (): Promise<void> => committed,
  }
}
