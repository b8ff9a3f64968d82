/** The results of `work` in the order of the items, of which at most `most` are under way. */
export async function mapLimited<T, R>(
  items: readonly T[],
  most: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  const left = items.entries()
  let isOver = false
  async function workOn(): Promise<void> {
    for (const [at, item] of left) {
      if (isOver) return
      results[at] = await work(item)
    }
  }
  const workers = Array.from({ length: Math.min(most, items.length) }, () =>
    workOn().catch((error: unknown) => {
      isOver = true
      throw error
    }),
  )
  await Promise.all(workers)
  return results
}
