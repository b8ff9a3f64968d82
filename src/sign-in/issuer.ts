import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose'
import { z } from 'zod'
import { Unavailable } from '../errors.ts'
import { limits } from '../limits.ts'
import type { Services } from '../operation.ts'
import { isWithin } from '../platform/clock.ts'
import { OutboundFailure } from '../platform/outbound/failure.ts'
import type { Outbound } from '../platform/outbound/outbound.ts'
import { UrlText } from '../shapes.ts'
import { withoutEnd } from '../text.ts'

/** Where people sign in, and where a page gets their tokens. */
interface Endpoints {
  readonly authorization: string
  readonly token: string
}

/** An issuer of tokens, asked for keys no more often than needed. */
export interface Issuer {
  readonly name: string
  /** The key of a token. Throws Unavailable when its existence cannot be determined. */
  readonly keyOf: JWTVerifyGetKey
  /** Null for an issuer that only makes tokens, without a sign-in page. Throws Unavailable. */
  endpoints(): Promise<Endpoints | null>
  /** The endpoints as last read. */
  knownEndpoints(): Endpoints | null
}

export type IssuerParts = Pick<Services, 'outbound' | 'clock' | 'log'>

const Url = UrlText.check(z.url())
/** OpenID Connect Discovery 1.0. */
const Discovery = z.object({
  issuer: z.string().max(limits.valueLength),
  jwks_uri: Url,
  authorization_endpoint: Url.optional(),
  token_endpoint: Url.optional(),
})
/** Many more than an issuer has: the keys of a list without a bound would be checked at once. */
const MOST_KEYS = 200
const Keys = z.object({
  keys: z
    .array(z.looseObject({ kty: z.string() }))
    .min(1)
    .max(MOST_KEYS),
})

interface KnownIssuer {
  readonly find: JWTVerifyGetKey
  readonly endpoints: Endpoints | null
  readonly since: number
}

/**
 * Keys are requested when none are known, when they are `limits.issuerKeysMs` old, and for an
 * unknown key, but not within `limits.issuerRestMs` of the last attempt. While the issuer does not
 * answer, known keys stay valid, and only the first attempt delays requests.
 */
export function createIssuer(name: string, parts: IssuerParts): Issuer {
  const { clock, log } = parts
  let known: KnownIssuer | undefined
  let reading: Promise<KnownIssuer> | undefined
  let tried: { readonly at: number; readonly failed: boolean } | undefined

  const now = () => clock.now().getTime()
  const isResting = () => tried !== undefined && isWithin(tried.at, limits.issuerRestMs, now())

  function read(): Promise<KnownIssuer> {
    reading ??= readIssuer(name, parts)
      .then((found) => {
        known = { ...found, since: now() }
        tried = { at: now(), failed: false }
        return known
      })
      .catch((error: unknown) => {
        tried = { at: now(), failed: true }
        // Outbound calls log their own failures.
        if (!(error instanceof OutboundFailure)) {
          log.warn({ issuer: name, err: error }, 'an issuer of tokens cannot be used')
        }
        throw unavailable(error)
      })
      .finally(() => {
        reading = undefined
      })
    return reading
  }

  function unavailable(cause?: unknown): Unavailable {
    const left = tried ? tried.at + limits.issuerRestMs - now() : 0
    const retryAfter = Math.max(1, Math.ceil(left / 1_000))
    return new Unavailable(
      'The issuer of the token is unavailable, so the token cannot be verified. Try again shortly.',
      { retryAfter, cause },
    )
  }

  async function current(): Promise<KnownIssuer> {
    if (known && isWithin(known.since, limits.issuerKeysMs, now())) return known
    if (reading === undefined && isResting()) {
      if (known) return known
      throw unavailable()
    }
    const before = known
    const isAway = tried?.failed && isWithin(tried.at, limits.issuerKeysMs, now())
    const found = read().catch((error: unknown) => {
      if (before) return before
      throw error
    })
    // Do not wait again for an issuer that was unavailable a moment ago.
    return before && isAway ? before : found
  }

  return {
    name,
    async keyOf(header, token) {
      const { find } = await current()
      try {
        return await find(header, token)
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
        if (reading === undefined && isResting()) {
          throw tried?.failed ? unavailable() : error
        }
      }
      return (await read()).find(header, token)
    },
    endpoints: async () => (await current()).endpoints,
    knownEndpoints: () => known?.endpoints ?? null,
  }
}

async function readIssuer(
  name: string,
  { outbound }: IssuerParts,
): Promise<Pick<KnownIssuer, 'find' | 'endpoints'>> {
  const address = `${withoutEnd(name, '/')}/.well-known/openid-configuration`
  const said = Discovery.parse(await readJson(outbound, address))
  if (said.issuer !== name)
    throw new Error(`Its issuer is ${said.issuer}: set OIDC_ISSUER to this.`)
  const { authorization_endpoint: authorization, token_endpoint: token } = said
  for (const url of [said.jwks_uri, authorization, token]) checkAddress(outbound, url)
  const keys = Keys.parse(await readJson(outbound, said.jwks_uri))
  const endpoints = authorization && token ? { authorization, token } : null
  return { find: createLocalJWKSet(keys as JSONWebKeySet), endpoints }
}

/** Whether tokens may be trusted to an address: by TLS, or since the operator names its host. */
export const isTrusted = (outbound: Outbound, url: string): boolean =>
  url.startsWith('https://') || outbound.names(url)

function checkAddress(outbound: Outbound, url: string | undefined): void {
  if (url !== undefined && !isTrusted(outbound, url))
    throw new Error(`${new URL(url).origin} does not use TLS.`)
}

async function readJson(outbound: Outbound, url: string): Promise<unknown> {
  const { status, body } = await outbound.call({
    url,
    headers: { accept: 'application/json' },
    timeoutMs: limits.issuerMs,
    maxBytes: limits.issuerBytes,
    about: { for: 'sign-in' },
  })
  if (status !== 200) throw new Error(`${new URL(url).host} responds with status ${status}.`)
  return JSON.parse(Buffer.from(body).toString())
}
