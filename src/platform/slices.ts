/** The consecutive slices of a list, of `size` items each, except for the last one. */
export function* slicesOf<T>(items: readonly T[], size: number): Generator<T[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size)
}
