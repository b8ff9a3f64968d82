/**
 * Computes one value per owner on first use. State of a service is keyed by its connection, so that
 * several services in one process stay separate.
 */
export function memoizeWeak<K extends WeakKey, V>(make: (owner: K) => V): (owner: K) => V {
  const values = new WeakMap<K, V>()
  return (owner) => {
    const known = values.get(owner)
    if (known !== undefined) return known
    const value = make(owner)
    values.set(owner, value)
    return value
  }
}
