import type { Authentication, Credentials } from '../authentication.ts'
import { Forbidden, Invalid, TooManyRequests, Unauthenticated } from '../errors.ts'
import type { KeyBounds, PublicContext, Services } from '../operation.ts'
import { OPERATOR } from '../organizations/organization.ts'
import { familyOf, forgetFamily } from '../organizations/store.ts'
import type { RateLimiter } from '../platform/rate-limiter.ts'
import type { Person } from '../sign-in/person.ts'
import { isToken, type SignIn } from '../sign-in/sign-in.ts'
import { boundsOf, cachedUntil, intersectBounds, intersectLists, ratesOf } from './bounds.ts'
import { DEFAULT_VERSION, isActive, isMembershipCurrent, type Key } from './key.ts'
import { couldBeKey, hashOf } from './key-text.ts'
import { noteUse } from './last-use.ts'
import type { SignedPayload } from './schemas.ts'
import { isSigned, isSignedBy, notSigned, payloadOf, readSignedKey } from './signed-key.ts'
import { findKey, hashById } from './store.ts'

/** The fields of a key that still matter once it is found valid. */
type KeyParts = Pick<
  Key,
  'id' | 'hash' | 'keyType' | 'username' | 'organization' | 'origins' | 'cache' | 'session'
>

/** A valid key with all its restrictions. The token of a person who signed in is treated as one. */
export interface ActiveKey extends KeyParts {
  /** `roles`: the organizations that the token gives a role in, and their children. */
  readonly reach: Key['reach'] | 'roles'
  readonly bounds: KeyBounds | undefined
  /** The bearer of a token. */
  readonly person?: Person | undefined
  /** The user of a signed key. */
  readonly userToken?: string | undefined
  /** Charges further requests to all rates of the key, or gives them back if there are fewer. */
  readonly weigh?: (requests: number) => void
}

/**
 * The key of a request, if it may be used now. Throws Unauthenticated, with the same message for
 * unknown, malformed, disabled, expired and orphaned keys, Forbidden and TooManyRequests.
 */
export async function activeKey(
  ctx: PublicContext,
  { secret, page }: Pick<Credentials, 'secret' | 'page'>,
  { onKey, signIn }: Pick<Authentication, 'onKey'> & { readonly signIn: SignIn | undefined },
): Promise<ActiveKey> {
  if (secret === undefined) throw new Unauthenticated()
  try {
    if (signIn && isToken(secret)) return await tokenKey(ctx, secret, signIn, onKey)
    return await goodKey(ctx, { secret, page }, onKey)
  } catch (error) {
    // Requests that no rate of a key counts are counted by the rate of their address.
    if (error instanceof Unauthenticated) ratesFor(ctx, secret).forget(hashOf(secret))
    throw error
  }
}

type Rates = Pick<Services, 'keyRates' | 'signedRates'>

const ratesFor = ({ keyRates, signedRates }: Rates, secret: string): RateLimiter =>
  isSigned(secret) || isToken(secret) ? signedRates : keyRates

/** Whether a key, or a token, was valid recently. */
export const isKnownKey = (services: Rates, secret: string): boolean =>
  (couldBeKey(secret) || isToken(secret)) && ratesFor(services, secret).knows(hashOf(secret))

/** Stands for the id of a key. */
const TOKEN = 'sign-in'

/**
 * A token as the key that its bearer would have. All tokens of a person share the rate of one key.
 */
async function tokenKey(
  ctx: PublicContext,
  token: string,
  signIn: SignIn,
  onKey: Authentication['onKey'],
): Promise<ActiveKey> {
  const person = await signIn.personOf(token, ctx.signal)
  const facts = { keyType: 'full', origins: null } as const
  onKey({ ...facts, defaultVersion: DEFAULT_VERSION })
  const { identity, username, isOperator, roles } = person
  checkRate(ctx.keyRates.take(identity))
  checkRate(ctx.signedRates.take(hashOf(token)))
  if (!isOperator && roles.size === 0) {
    throw new Forbidden(
      `You have no role here: no value of the claim ${signIn.settings.rolesClaim} in your token is assigned one.`,
    )
  }
  const [only = null, ...others] = roles.keys()
  return {
    ...facts,
    id: TOKEN,
    hash: hashOf(token),
    // A name that no user can have, since that user would be taken for the operator.
    username: isOperator ? OPERATOR : username,
    organization: isOperator || others.length > 0 ? null : only,
    reach: isOperator ? 'operator' : 'roles',
    bounds: undefined,
    person,
    weigh: (requests) => ctx.keyRates.charge(identity, requests, { inFull: true }),
  }
}

async function goodKey(
  ctx: PublicContext,
  { secret, page }: { secret: string; page: string | undefined },
  onKey: Authentication['onKey'],
): Promise<ActiveKey> {
  const signed = isSigned(secret) ? readSignedKey(secret) : undefined
  const stored = signed
    ? await signerOf(ctx, signed.keyId, (hash) => isSignedBy(signed, hash))
    : await storedKey(ctx, secret)
  const payload = signed && payloadOf(signed)
  const key = narrowed(stored, payload)
  onKey(key)
  if (payload?.validUntil && Date.parse(payload.validUntil) <= ctx.clock.now().getTime()) {
    throw new Unauthenticated(`The signed key expired at ${payload.validUntil}. Sign a new one.`)
  }
  // Rates come first, so that pages that may not use the key are limited, too.
  const weigh = holdRates(ctx, secret, stored, payload)
  checkPage(key, page)
  const ends = [stored.expires, payload?.validUntil ?? null]
  const cache = cachedUntil(stored.cache ?? null, ends, ctx.clock.now())
  return { ...key, cache, weigh }
}

/** The key that signed, narrowed by what the signed key says. */
function narrowed(stored: Key, payload: SignedPayload | undefined): ActiveKey {
  const bounds = boundsOf(stored.bounds)
  if (!payload) return { ...stored, bounds }
  return {
    ...stored,
    bounds: intersectBounds(bounds, signedBounds(payload)),
    origins: intersectLists(stored.origins, payload.origins),
    userToken: payload.userToken ?? undefined,
  }
}

function signedBounds(payload: SignedPayload): KeyBounds | undefined {
  try {
    return boundsOf(payload)
  } catch (error) {
    throw error instanceof Invalid ? new Invalid(`signed key.${error.message}`) : error
  }
}

/** The key that signed, after checking the signature. */
async function signerOf(
  ctx: PublicContext,
  id: string,
  isSigner: (hash: string) => boolean,
): Promise<Key> {
  const hash = await hashById(ctx, id, ctx.signal)
  if (hash === undefined || !isSigner(hash)) throw notSigned()
  const key = await workingKey(ctx, hash)
  // The key of a session is for one user who shops. Signed keys are for pages that show products.
  if (key?.keyType !== 'search' || key.session) throw notSigned()
  noteUse(ctx, key.id)
  return key
}

async function storedKey(ctx: PublicContext, secret: string): Promise<Key> {
  if (!couldBeKey(secret)) throw new Unauthenticated()
  const key = await workingKey(ctx, hashOf(secret))
  // A session ends with the key that set it up.
  const holds = key && (!key.session || (await workingKey(ctx, key.session.setupKey)))
  if (!holds) throw new Unauthenticated()
  if (!key.session) noteUse(ctx, key.id)
  return key
}

async function workingKey(ctx: PublicContext, hash: string): Promise<Key | undefined> {
  const key = await findKey(ctx, hash, ctx.signal)
  if (key && isActive(key, ctx.clock.now()) && (await hasMember(ctx, key))) return key
  ctx.keyRates.forget(hash)
  return undefined
}

/** Whether the key's user still has the membership that it was generated for. */
async function hasMember(ctx: PublicContext, key: Key): Promise<boolean> {
  if (key.reach === 'operator') return true
  const look = async () => {
    const home = await familyOf(ctx, key.organization!, { signal: ctx.signal })
    return isMembershipCurrent(key, home)
  }
  return retriedUncached(look, () => forgetFamily(ctx, key.organization!))
}

/** Retries without the cache when the cached answer is negative: a membership may be newer. */
async function retriedUncached<T>(look: () => Promise<T>, forget: () => Promise<void>): Promise<T> {
  const found = await look()
  if (found) return found
  await forget()
  return look()
}

/**
 * Browsers send the origin of a page. Other clients could send any, so a missing one is accepted.
 */
function checkPage({ keyType, origins }: ActiveKey, page: string | undefined): void {
  if (keyType !== 'search' || !origins || page === undefined || origins.includes(page)) return
  throw new Forbidden('The key is not valid for the origin of this page.')
}

/**
 * Counts by the narrowest rate first, so that its refusals take nothing from rates that others
 * share. A signed key is also held to the rates of its signer.
 */
function holdRates(
  ctx: PublicContext,
  secret: string,
  stored: Key,
  payload: SignedPayload | undefined,
) {
  const call = { keyId: stored.id, address: ctx.sender?.address }
  const user = payload && (payload.userToken ?? hashOf(secret))
  const held = [
    ...ratesOf(payload?.rate ?? null, call, user).map((one) => ({ ...one, by: ctx.signedRates })),
    ...ratesOf(stored.bounds?.rate ?? null, call).map((one) => ({ ...one, by: ctx.ownRates })),
  ]
  for (const { owner, perSecond, by } of held) checkRate(by.take(owner, { perSecond }))
  checkRate(ctx.keyRates.take(stored.hash))
  // The signed key now counts as known, so that others at its address cannot lock it out.
  if (payload) checkRate(ctx.signedRates.take(hashOf(secret)))
  return (requests: number): void => {
    for (const { owner, perSecond, by } of held) {
      by.charge(owner, requests, { perSecond, inFull: true })
    }
    ctx.keyRates.charge(stored.hash, requests, { inFull: true })
  }
}

function checkRate(wait: number): void {
  if (wait === 0) return
  throw new TooManyRequests('Too many requests with this key. Try again later.', wait)
}
