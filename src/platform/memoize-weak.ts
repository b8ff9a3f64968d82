/**
 * Creates one value per owner on first use. State of a service is keyed by its connection, so that
 * several services in one process stay separate.
 */
export function memoizeWeak<K extends WeakKey, V>(make: () => V): (owner: K) => V {
  const values = new WeakMap<K, V>()
  return (owner) => {
    const value = values.get(owner) ?? make()
    values.set(owner, value)
    return value
  }
}

/** Works out what follows from an object the first time that it is asked for. */
export function oncePer<K extends WeakKey, V extends object>(
  workOut: (from: K) => V,
): (from: K) => V {
  const values = new WeakMap<K, V>()
  return (from) => {
    const known = values.get(from)
    if (known) return known
    const value = workOut(from)
    values.set(from, value)
    return value
  }
}
