import type { z } from 'zod'
import { Forbidden, Invalid } from '../errors.ts'
import { limits } from '../limits.ts'
import type { CacheTerms, HideableField, KeyBounds, ProductConditions } from '../operation.ts'
import { conditionsOf, fieldConditions } from '../products/criteria.ts'
import type { Bounds, KeyFilter, Rate } from './schemas.ts'

/** What a key is bound to, as its request says it; see schemas.ts. */
export type StoredBounds = z.output<z.ZodObject<typeof Bounds>>

/** Checks what the schema cannot. Throws Invalid. */
export function conditionsIn(filter: KeyFilter): ProductConditions {
  const { must, exclude, inStock } = filter
  if (must.length + exclude.length > limits.criteria) {
    throw new Invalid(`filter: at most ${limits.criteria} criteria together`)
  }
  const wanted = [...fieldConditions(filter), ...conditionsOf(must, 'filter.must')]
  const excluded = conditionsOf(exclude, 'filter.exclude')
  if ([...wanted, ...excluded].some(({ type }) => type === 'keyword')) {
    throw new Invalid(
      'filter: not by criteria of type keyword. Which products a key may see follows from their fields, as by tag.',
    )
  }
  return { wanted, excluded, inStock }
}

/** Undefined where nothing of what is answered is bound. */
export function boundsOf(stored: StoredBounds | null | undefined): KeyBounds | undefined {
  if (!stored) return undefined
  // Absent of keys that were made before there were price lists.
  const { catalogs, filter, hide, priceList = null } = stored
  const isBound = catalogs !== null || filter !== null || hide.length > 0 || priceList !== null
  if (!isBound) return undefined
  const filters = filter ? [conditionsIn(filter)] : []
  return { catalogs, filters, hide, ...(priceList === null ? {} : { priceList }) }
}

/** What is there within the bounds of a key and of one that it signed. Throws Forbidden. */
export function within(
  signer: KeyBounds | undefined,
  signed: KeyBounds | undefined,
): KeyBounds | undefined {
  if (!signer || !signed) return signer ?? signed
  const priceList = signedList(signer, signed)
  return {
    catalogs: common(signer.catalogs, signed.catalogs),
    filters: [...signer.filters, ...signed.filters],
    hide: [...new Set<HideableField>([...signer.hide, ...signed.hide])],
    ...(priceList === undefined ? {} : { priceList }),
  }
}

/** Whoever has a key may sign with it: nobody signs for prices that the key itself does not see. */
function signedList(signer: KeyBounds, { priceList }: KeyBounds): string | undefined {
  const own = signer.priceList
  if (priceList === undefined || priceList === own) return own
  if (own === undefined && !signer.hide.includes('vendors.cost')) return priceList
  throw new Forbidden(
    own === undefined
      ? 'signed key.priceList: the key that signs may not see vendors.cost, and so signs for no price list.'
      : 'signed key.priceList: the key that signs is bound to another price list.',
  )
}

/** null: any. */
export const common = <T>(a: readonly T[] | null, b: readonly T[] | null): readonly T[] | null =>
  a === null ? b : b === null ? a : a.filter((one) => b.includes(one))

/** Nobody keeps an answer for longer than its key works, which ends at the first of these times. */
export function cachedUntil(
  cache: CacheTerms | null,
  ends: readonly (string | null)[],
  now: Date,
): CacheTerms | null {
  if (!cache) return null
  const times = ends.flatMap((end) => (end === null ? [] : [Date.parse(end)]))
  const left = Math.max(0, Math.floor((Math.min(...times) - now.getTime()) / 1_000))
  const maxAge = Math.min(cache.maxAge, left)
  return { maxAge, staleWhileRevalidate: Math.min(cache.staleWhileRevalidate, left - maxAge) }
}

/** Requests a second that somebody may make. */
export interface HeldRate {
  readonly owner: string
  readonly perSecond: number
}

interface RatedCall {
  readonly keyId: string
  readonly address: string | undefined
}

/** The rates by which a call with a key is held, the narrowest first; `user` where it is signed for one. */
export function ratesOf(
  rate: Rate | null,
  { keyId, address }: RatedCall,
  user?: string,
): HeldRate[] {
  const { perSecond = null, perAddress = null } = rate ?? {}
  const owner = JSON.stringify(user === undefined ? [keyId] : [keyId, user])
  return [
    ...(perAddress === null || address === undefined
      ? []
      : [{ owner: `${owner} ${address}`, perSecond: perAddress }]),
    ...(perSecond === null ? [] : [{ owner, perSecond }]),
  ]
}
