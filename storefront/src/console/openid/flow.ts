import { AisleError } from 'aisle-client'

/** The service's settings for signing in with OpenID Connect. */
export interface Offer {
  readonly client: { readonly id: string; readonly scope: string }
  /** The service accepts tokens with one of these in `aud`. */
  readonly audiences: readonly string[]
  readonly issuers: readonly {
    readonly name: string
    /** Null if the issuer does not respond. */
    readonly endpoints: { readonly authorization: string; readonly token: string } | null
  }[]
}

/** A sign-in in progress, kept until the issuer redirects back. */
export interface Attempt {
  readonly issuer: string
  readonly tokenEndpoint: string
  readonly clientId: string
  readonly audiences: readonly string[]
  readonly redirect: string
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  /** Query of the address to return to. */
  readonly query: string
  /** The tab that waits for the token; absent if this tab continues itself. */
  readonly beside?: string
}

/** The response of an issuer's token endpoint. */
export interface Tokens {
  readonly access_token?: unknown
  readonly id_token?: unknown
  readonly refresh_token?: unknown
}

/** The authorization request for the authorization code flow with PKCE. */
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

/** Whether an address is a redirect back from an issuer. */
export const isReturn = (said: URLSearchParams): boolean =>
  said.has('state') && (said.has('code') || said.has('error'))

const LONGEST = 200

/** The code of the redirect. Throws AisleError if it failed or was not requested in this tab. */
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

/** The form that exchanges a code for tokens. */
export const codeForm = (code: string, attempt: Attempt) => ({
  grant_type: 'authorization_code',
  code,
  redirect_uri: attempt.redirect,
  client_id: attempt.clientId,
  code_verifier: attempt.verifier,
})

/** Throws AisleError unless the ID token belongs to this attempt. The service verifies its signature. */
export function checkIdToken({ id_token: token }: Tokens, attempt: Attempt): void {
  const { iss, aud, nonce } = claimsOf(token) ?? {}
  const isAnswer = iss === attempt.issuer && nonce === attempt.nonce
  if (isAnswer && [aud].flat().includes(attempt.clientId)) return
  throw new AisleError(400, 'The sign-in provider answered a different sign-in. Sign in again.')
}

/** The access token if the service is its audience, else the ID token. */
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

/** The claims of a JWT; undefined for anything else. */
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
