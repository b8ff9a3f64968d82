import type { InstantSearch } from 'instantsearch.js'

/** The helper that holds the state of InstantSearch. */
export type Helper = NonNullable<InstantSearch['helper']>
export type SearchParameters = Helper['state']
