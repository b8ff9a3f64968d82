/** Replacements by field; null: the field has none and no body may name it. */
export type ReplacedFields = Readonly<Record<string, string | null>>

/** Replaces fields wherever a query or an aggregation names them. */
export function withFields<T>(value: T, instead: ReplacedFields = {}): T {
  const names = new Map(Object.entries(instead))
  return names.size === 0 ? value : (renamed(value, names) as T)
}

type Names = ReadonlyMap<string, string | null>

function renamed(value: unknown, names: Names): unknown {
  if (Array.isArray(value)) return value.map((one) => renamed(one, names))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [
      nameFor(key, names),
      // Fields are named by keys and by the value of `field`.
      key === 'field' && typeof one === 'string' ? nameFor(one, names) : renamed(one, names),
    ]),
  )
}

function nameFor(field: string, names: Names): string {
  const name = names.get(field)
  // A defect of Aisle: no answer is better than one that reveals a hidden field.
  if (name === null) throw new Error(`${field} is hidden from the caller but was requested`)
  return name ?? field
}
