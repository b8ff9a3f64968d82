/**
 * One value for each owner, made when it is first asked for. State that belongs to a service hangs
 * on the service's own connection, so that several services in one process stay separate.
 */
export function perOwner<K extends WeakKey, V>(make: () => V): (owner: K) => V {
  const values = new WeakMap<K, V>()
  return (owner) => {
    const value = values.get(owner) ?? make()
    values.set(owner, value)
    return value
  }
}
