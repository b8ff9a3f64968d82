/**
 * The same generator, whose `return` calls `close` also where it was never begun: nothing of its
 * own `finally` would run then.
 */
export function closing<T>(items: AsyncGenerator<T>, close: () => unknown): AsyncGenerator<T> {
  const end = items.return.bind(items)
  return Object.assign(items, {
    async return(value: unknown) {
      await close()
      return end(value)
    },
  })
}
