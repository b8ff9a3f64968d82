/** A list that is kept in the visitor's browser only. */
interface KeptList<T> {
  read(): readonly T[]
  /** Puts an entry first, replacing one with the same id. */
  add(entry: T): void
  remove(entry: T): void
  clear(): void
}

function keptList<T>(name: string, most: number, idOf: (entry: T) => string): KeptList<T> {
  const read = (): readonly T[] => {
    try {
      const kept = JSON.parse(localStorage.getItem(name) ?? '[]')
      return Array.isArray(kept) ? kept : []
    } catch {
      return []
    }
  }
  const write = (entries: readonly T[]) => {
    try {
      localStorage.setItem(name, JSON.stringify(entries))
    } catch {
      // The shop also works in a browser that stores nothing.
    }
  }
  const without = (entry: T) => read().filter((other) => idOf(other) !== idOf(entry))
  return {
    read,
    add: (entry) => write([entry, ...without(entry)].slice(0, most)),
    remove: (entry) => write(without(entry)),
    clear: () => write([]),
  }
}

export interface SeenProduct {
  readonly id: string
  readonly catalog: string
  readonly name: string
  readonly image: string | null
}

export const recentSearches = keptList<string>('aisle.searches', 8, (text) => text.toLowerCase())
export const seenProducts = keptList<SeenProduct>(
  'aisle.seen',
  8,
  ({ catalog, id }) => `${catalog}/${id}`,
)
