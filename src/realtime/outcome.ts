import type { RealtimeResponse } from '../extensions/wire.ts'

export type Item = RealtimeResponse['items'][number]

/** What a vendor says of one product, or why it says nothing. */
export type Outcome =
  | { readonly item: Item; readonly error: null }
  | { readonly item: null; readonly error: string }

export const failure = (error: string): Outcome => ({ item: null, error })
