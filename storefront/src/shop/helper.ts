import type { InstantSearch } from 'instantsearch.js'

/** What InstantSearch keeps its state in. */
export type Helper = NonNullable<InstantSearch['helper']>
export type SearchParameters = Helper['state']
