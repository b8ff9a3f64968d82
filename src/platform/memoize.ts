/** Computes each value once, for as long as the returned function is kept. */
export function memoize<K, V extends NonNullable<unknown>>(make: (key: K) => V): (key: K) => V {
  const values = new Map<K, V>()
  return (key) => {
    const known = values.get(key)
    if (known !== undefined) return known
    const value = make(key)
    values.set(key, value)
    return value
  }
}
