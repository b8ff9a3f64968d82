/** The same with other fields in place of some, wherever a query or an aggregation names one. */
export function withFields<T>(value: T, instead: Readonly<Record<string, string>> = {}): T {
  const names = new Map(Object.entries(instead))
  return names.size === 0 ? value : (renamed(value, names) as T)
}

function renamed(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((one) => renamed(one, names))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [
      names.get(key) ?? key,
      // A field is named by a key, or by the text of `field`.
      key === 'field' && typeof one === 'string' ? (names.get(one) ?? one) : renamed(one, names),
    ]),
  )
}
