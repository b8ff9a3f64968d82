import { AisleError } from 'aisle-client'

/** What the service says of those by whom people sign in. */
export interface Offer {
  readonly client: { readonly id: string; readonly scope: string }
  /** One of them is in `aud` of the token that the service takes. */
  readonly audiences: readonly string[]
  readonly issuers: readonly {
    readonly name: string
    /** Null of one that does not answer now. */
    readonly endpoints: { readonly authorization: string; readonly token: string } | null
  }[]
}

/** A sign-in under way, kept until the issuer sends the person back. */
export interface Attempt {
  readonly issuer: string
  readonly tokenEndpoint: string
  readonly clientId: string
  readonly audiences: readonly string[]
  readonly redirect: string
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  /** The address to go on at: its query. */
  readonly query: string
  /** The tab that waits for the token; absent where the person goes on in this one. */
  readonly beside?: string
}

/** What an issuer answers at its token endpoint, as far as it says it. */
export interface Tokens {
  readonly access_token?: unknown
  readonly id_token?: unknown
  readonly refresh_token?: unknown
}

/** Where the issuer asks who somebody is: authorization code with PKCE. */
export function authorizationAddress(
  endpoint: string,
  { scope, challenge, attempt }: { scope: string; challenge: string; attempt: Attempt },
): string {
  const address = new URL(endpoint)
  const said = {
    response_type: 'code',
    client_id: attempt.clientId,
    redirect_uri: attempt.redirect,
    scope,
    state: attempt.state,
    nonce: attempt.nonce,
    code_challenge: challenge,
    code_challenge_method: 'S256',
  }
  for (const [name, value] of Object.entries(said)) address.searchParams.set(name, value)
  return address.href
}

/** Whether an address is one that an issuer sent somebody back to. */
export const isReturn = (said: URLSearchParams): boolean =>
  said.has('state') && (said.has('code') || said.has('error'))

const LONGEST = 200

/** The code in such an address. Throws AisleError for an answer to something that was not asked here. */
export function codeIn(said: URLSearchParams, attempt: Attempt | undefined): string {
  const isOwn = attempt !== undefined && said.get('state') === attempt.state
  if (!isOwn || (said.get('iss') ?? attempt.issuer) !== attempt.issuer) {
    throw new AisleError(400, 'This sign-in was not started in this tab. Sign in again.')
  }
  const code = said.get('code')
  if (code !== null) return code
  const why = said.get('error_description') ?? said.get('error') ?? ''
  throw new AisleError(403, `Sign-in failed: ${why.slice(0, LONGEST)}`)
}

/** The form that gets tokens for a code. */
export const codeForm = (code: string, attempt: Attempt) => ({
  grant_type: 'authorization_code',
  code,
  redirect_uri: attempt.redirect,
  client_id: attempt.clientId,
  code_verifier: attempt.verifier,
})

/** Throws AisleError unless the ID token answers this attempt; its signature is for the service to look at. */
export function checkIdToken({ id_token: token }: Tokens, attempt: Attempt): void {
  const { iss, aud, nonce } = claimsOf(token) ?? {}
  const isAnswer = iss === attempt.issuer && nonce === attempt.nonce
  if (isAnswer && [aud].flat().includes(attempt.clientId)) return
  throw new AisleError(400, 'The sign-in provider answered a different sign-in. Sign in again.')
}

/** The token that the service takes: an access token that is made for it, else the ID token. */
export function usableToken(
  { access_token: access, id_token: id }: Tokens,
  audiences: readonly string[],
): { token: string; expires: number } {
  for (const token of [access, id]) {
    const { aud, exp } = claimsOf(token) ?? {}
    const isMeant = [aud].flat().some((one) => audiences.includes(one as string))
    if (isMeant && typeof exp === 'number') return { token: token as string, expires: exp * 1_000 }
  }
  throw new AisleError(
    400,
    'The sign-in provider sent no token for this service. Check OIDC_AUDIENCE.',
  )
}

/** What a JWT says; undefined for anything else. */
function claimsOf(token: unknown): Record<string, unknown> | undefined {
  const [, payload, ...rest] = typeof token === 'string' ? token.split('.') : []
  if (payload === undefined || rest.length !== 1) return undefined
  try {
    const bytes = atob(payload.replaceAll('-', '+').replaceAll('_', '/'))
    const said: unknown = JSON.parse(
      new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0))),
    )
    return typeof said === 'object' && said !== null ? { ...said } : undefined
  } catch {
    return undefined
  }
}
