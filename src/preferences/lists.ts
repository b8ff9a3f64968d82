import { Invalid, NotFound } from '../errors.ts'
import { limits } from '../limits.ts'
import { SearchRequest } from '../search/request-schemas.ts'
import type { Preferences } from './store.ts'

type SavedSearch = Preferences['searches']
type Columns = Preferences['columns']

const FIELDS = new Set(Object.keys(SearchRequest.shape))

/** The fields of a SearchRequest as sent, without unknown ones. */
export const givenFields = (sent: unknown): SavedSearch['search'] =>
  Object.fromEntries(Object.entries(sent as object).filter(([name]) => FIELDS.has(name)))

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
  return checkSize(
    [...others, saved].sort((a, b) => (a.name < b.name ? -1 : 1)),
    'searches',
  )
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
  return checkSize([...others, saved], 'columns')
}

/** Each read and change takes the whole list, so one that is too large throws Invalid. */
function checkSize<T>(list: readonly T[], what: string): readonly T[] {
  if (Buffer.byteLength(JSON.stringify(list)) <= limits.preferenceBytes) return list
  throw new Invalid(
    `Your saved ${what} would have more than ${limits.preferenceBytes} bytes together. Delete some to save others.`,
  )
}
