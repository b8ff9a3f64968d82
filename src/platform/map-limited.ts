/**
 * The results of `work` in the order of the items, of which at most `most` are under way. After a
 * failure, which is thrown once all work has ended, no other item begins.
 */
export async function mapLimited<T, R>(
  items: readonly T[],
  most: number,
  work: (item: T, at: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  const left = items.entries()
  let isOver = false
  async function workOn(): Promise<void> {
    for (const [at, item] of left) {
      if (isOver) return
      results[at] = await work(item, at)
    }
  }
  const workers = Array.from({ length: Math.min(most, items.length) }, () =>
    workOn().catch((error: unknown) => {
      isOver = true
      throw error
    }),
  )
  for (const result of await Promise.allSettled(workers)) {
    if (result.status === 'rejected') throw result.reason
  }
  return results
}
