/**
 * The same generator, whose `return` calls `close` even when it was never started, in which case
 * its own `finally` does not run.
 */
export function closeOnReturn<T>(
  items: AsyncGenerator<T>,
  close: () => unknown,
): AsyncGenerator<T> {
  const end = items.return.bind(items)
  return Object.assign(items, {
    async return(value: unknown) {
      await close()
      return end(value)
    },
  })
}
