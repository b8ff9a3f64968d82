/** Batches that are being made and written at once. */
const AT_ONCE = 3
/** Those and the written ones that wait to be committed: a slow commit shall not gather them all. */
const UNCOMMITTED = 8

/** Keeps a few batches under way, never two with the same product, and commits them in order. */
export interface BatchesInFlight {
  /** Waits until there is room for one more batch. Throws why an earlier one was not committed. */
  waitForRoom(): Promise<void>
  /** Waits until none of these products is being written. */
  waitForProducts(ids: Iterable<string>): Promise<void>
  /**
   * `commit` runs when `work` and all batches before it are done; where `isOver`, also when one
   * before it failed: nobody goes on from there, and what was written counts.
   */
  start<T>(ids: readonly string[], work: Promise<T>, commit: (result: T) => Promise<void>): void
  /** Resolves when nothing is being written. */
  allWritten(): Promise<void>
  /** Resolves when all is committed; rejects with the first failure. */
  allCommitted(): Promise<void>
}

export function createBatchesInFlight(
  isOver: (failure: unknown) => boolean = () => false,
): BatchesInFlight {
  const flying = new Set<Promise<unknown>>()
  const uncommitted = new Set<Promise<void>>()
  const products = new Map<string, Promise<unknown>>()
  let committed: Promise<void> = Promise.resolve()
  let failed: { readonly reason: unknown } | undefined
  return {
    async waitForRoom() {
      while (flying.size >= AT_ONCE) await Promise.race(flying)
      while (uncommitted.size >= UNCOMMITTED) await Promise.race(uncommitted)
      if (failed) throw failed.reason
    },
    async waitForProducts(ids) {
      const earlier = new Set<Promise<unknown>>()
      for (const id of ids) {
        const writing = products.get(id)
        if (writing) earlier.add(writing)
      }
      await Promise.all(earlier)
    },
    start(ids, work, commit) {
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
      // Whoever takes a seat or waits for the end sees a failure; it must not count as unhandled.
      done
        .catch((reason: unknown) => {
          failed ??= { reason }
        })
        .finally(() => uncommitted.delete(done))
    },
    async allWritten() {
      await Promise.allSettled(flying)
    },
    allCommitted: () => committed,
  }
}
