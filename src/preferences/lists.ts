import { Invalid, NotFound } from '../errors.ts'
import { limits } from '../limits.ts'
import { SearchRequest } from '../search/request-schemas.ts'
import type { Preferences } from './store.ts'

type SavedSearch = Preferences['searches']
type Columns = Preferences['columns']

const FIELDS = new Set(Object.keys(SearchRequest.shape))

/** The fields of a SearchRequest as sent, without unknown ones. Throws Invalid if too large. */
export function givenFields(sent: unknown): SavedSearch['search'] {
  const known = Object.entries(sent as object).filter(([name]) => FIELDS.has(name))
  const search = Object.fromEntries(known)
  if (Buffer.byteLength(JSON.stringify(search)) > limits.savedSearchBytes) {
    throw new Invalid(`body: a saved search has at most ${limits.savedSearchBytes} bytes`)
  }
  return search
}

/** Adds a search, or replaces the one with the same name. Throws Invalid if there are too many. */
export function withSearch(
  searches: readonly SavedSearch[],
  saved: SavedSearch,
): readonly SavedSearch[] {
  const others = searches.filter(({ name }) => name !== saved.name)
  if (others.length >= limits.savedSearches) {
    throw new Invalid(
      `You have ${limits.savedSearches} saved searches. Delete one to save another.`,
    )
  }
  return [...others, saved].sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** Removes a search by name. Throws NotFound. */
export function withoutSearch(
  searches: readonly SavedSearch[],
  name: string,
): readonly SavedSearch[] {
  const others = searches.filter((search) => search.name !== name)
  if (others.length === searches.length) throw new NotFound('Saved search')
  return others
}

/** Sets the columns of a page; an empty list removes them. Throws Invalid for too many pages. */
export function withColumns(all: readonly Columns[], saved: Columns): readonly Columns[] {
  const others = all.filter(({ page }) => page !== saved.page)
  if (saved.names.length === 0) return others
  if (others.length >= limits.columnPages) {
    throw new Invalid(
      `You have saved columns for ${limits.columnPages} pages. Save an empty list for one of them first.`,
    )
  }
  return [...others, saved]
}
