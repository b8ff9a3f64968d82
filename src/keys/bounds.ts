import type { z } from 'zod'
import { Forbidden, Invalid } from '../errors.ts'
import { limits } from '../limits.ts'
import type { CacheTerms, HideableField, KeyBounds, ProductConditions } from '../operation.ts'
import { conditionsOf, fieldConditions } from '../products/criteria.ts'
import type { Bounds, KeyFilter, Rate } from './schemas.ts'

/** The restrictions of a key, as its request states them; see schemas.ts. */
export type StoredBounds = z.output<z.ZodObject<typeof Bounds>>

/** The conditions of a filter. Checks what the schema cannot. Throws Invalid. */
export function conditionsIn(filter: KeyFilter): ProductConditions {
  const { must, exclude, inStock } = filter
  if (must.length + exclude.length > limits.criteria) {
    throw new Invalid(`filter: at most ${limits.criteria} criteria in total`)
  }
  const wanted = [...fieldConditions(filter), ...conditionsOf(must, 'filter.must')]
  const excluded = conditionsOf(exclude, 'filter.exclude')
  if ([...wanted, ...excluded].some(({ type }) => type === 'keyword')) {
    throw new Invalid(
      'filter: criteria of type keyword are not allowed; filter by fields, for example by tag',
    )
  }
  return { wanted, excluded, inStock }
}

/** The restrictions that affect answers; undefined without any. */
export function boundsOf(stored: StoredBounds | null | undefined): KeyBounds | undefined {
  if (!stored) return undefined
  // Absent in keys that are older than price lists.
  const { catalogs, filter, hide, priceList = null } = stored
  const isBound = catalogs !== null || filter !== null || hide.length > 0 || priceList !== null
  if (!isBound) return undefined
  const filters = filter ? [conditionsIn(filter)] : []
  return { catalogs, filters, hide, ...(priceList === null ? {} : { priceList }) }
}

/** The restrictions of a signed key and of the key that signed it together. Throws Forbidden. */
export function intersectBounds(
  signer: KeyBounds | undefined,
  signed: KeyBounds | undefined,
): KeyBounds | undefined {
  if (!signer || !signed) return signer ?? signed
  const priceList = signedList(signer, signed)
  return {
    catalogs: intersectLists(signer.catalogs, signed.catalogs),
    filters: [...signer.filters, ...signed.filters],
    hide: [...new Set<HideableField>([...signer.hide, ...signed.hide])],
    ...(priceList === undefined ? {} : { priceList }),
  }
}

/**
 * The price list of a signed key. Anybody who has a key can sign with it, so a signed key must not
 * reveal prices that the key itself does not see.
 */
function signedList(signer: KeyBounds, { priceList }: KeyBounds): string | undefined {
  const own = signer.priceList
  if (priceList === undefined || priceList === own) return own
  if (own === undefined && !signer.hide.includes('vendors.cost')) return priceList
  throw new Forbidden(
    own === undefined
      ? 'signed key.priceList: the signing key cannot see vendors.cost, and therefore cannot sign for a price list'
      : 'signed key.priceList: the signing key is bound to another price list',
  )
}

/** The entries that are in both lists; null: any. */
export const intersectLists = <T>(
  a: readonly T[] | null,
  b: readonly T[] | null,
): readonly T[] | null => (a === null ? b : b === null ? a : a.filter((one) => b.includes(one)))

/** Limits caching to the time for which a key works, which ends at the first of `ends`. */
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

/**
 * The rates that limit a call with a key, the narrowest first. `user`: the user of a signed key.
 */
export function ratesOf(
  rate: Rate | null,
  { keyId, address }: { readonly keyId: string; readonly address: string | undefined },
  user?: string,
) {
  const { perSecond = null, perAddress = null } = rate ?? {}
  const owner = JSON.stringify(user === undefined ? [keyId] : [keyId, user])
  return [
    ...(perAddress === null || address === undefined
      ? []
      : [{ owner: `${owner} ${address}`, perSecond: perAddress }]),
    ...(perSecond === null ? [] : [{ owner, perSecond }]),
  ]
}
