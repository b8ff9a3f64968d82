import { AisleError } from 'aisle-client'

/** What to show of a failed call. */
export const messageOf = (error: unknown): string =>
  error instanceof AisleError ? error.message : 'Something went wrong. Try again.'
