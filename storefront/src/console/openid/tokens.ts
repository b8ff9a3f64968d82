import { AisleError } from 'aisle-client'
import { loadSettings } from '../../shop/session.ts'
import type { Renewal, Signed } from '../session.ts'
import {
  type Attempt,
  authorizationAddress,
  checkIdToken,
  codeForm,
  codeIn,
  isReturn,
  type Offer,
  type Tokens,
  usableToken,
} from './flow.ts'

/** A token used as the key, and how to renew it. */
export type Grant = Pick<Signed, 'key' | 'renewal'>

const KEPT = 'aisle.sign-in'

/** Names of the identity providers; empty if the service accepts only keys. */
export const loadIssuers = async (): Promise<readonly string[]> =>
  (await loadSettings()).signIn ?? []

/**
 * Navigates to the issuer's sign-in page. `beside` is the tab that waits for the token, if any.
 * Throws AisleError if signing in is not possible.
 */
export async function leaveToSignIn(issuer: string, beside?: string): Promise<void> {
  if (!crypto.subtle) throw new AisleError(400, 'Sign-in requires HTTPS.')
  const answer = await fetch('shop/sign-in.json')
  const { client, audiences, issuers } = (await answer.json()) as Offer
  const endpoints = issuers.find(({ name }) => name === issuer)?.endpoints
  if (!endpoints) throw new AisleError(503, `${issuer} is not responding. Try again shortly.`)
  const attempt: Attempt = {
    ...{ issuer, audiences, clientId: client.id, tokenEndpoint: endpoints.token },
    redirect: new URL('console', location.href).href,
    ...{ state: randomText(), nonce: randomText(), verifier: randomText() },
    query: location.search,
    ...(beside === undefined ? {} : { beside }),
  }
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(attempt.verifier))
  const challenge = base64url(new Uint8Array(digest))
  sessionStorage.setItem(KEPT, JSON.stringify(attempt))
  const { scope } = client
  location.assign(authorizationAddress(endpoints.authorization, { scope, challenge, attempt }))
}

/** A redirect back from an issuer. */
export interface Returned {
  /** The tab that waits for the token. */
  readonly beside: string | undefined
  /** Exchanges the code for a token. Throws AisleError. */
  grant(): Promise<Grant>
}

/** The redirect in the address, which is removed from it; undefined if there is none. */
export function takeReturn(): Returned | undefined {
  const said = new URLSearchParams(location.search)
  if (!isReturn(said)) return undefined
  const attempt = keptAttempt()
  sessionStorage.removeItem(KEPT)
  history.replaceState(null, '', location.pathname + (attempt?.query ?? ''))
  return {
    beside: attempt?.beside,
    async grant() {
      const form = codeForm(codeIn(said, attempt), attempt!)
      const tokens = await ask(attempt!.tokenEndpoint, form)
      checkIdToken(tokens, attempt!)
      return grantOf(tokens, attempt!)
    },
  }
}

function keptAttempt(): Attempt | undefined {
  try {
    return JSON.parse(sessionStorage.getItem(KEPT) ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}

type Asked = Pick<Renewal, 'tokenEndpoint' | 'clientId' | 'audiences'>

function grantOf(tokens: Tokens, { tokenEndpoint, clientId, audiences }: Asked): Grant {
  const { token, expires } = usableToken(tokens, audiences)
  const { refresh_token: refreshToken } = tokens
  if (typeof refreshToken !== 'string') return { key: token }
  return { key: token, renewal: { tokenEndpoint, clientId, audiences, refreshToken, expires } }
}

/** Requests tokens of an issuer. Throws AisleError. */
async function ask(address: string, form: Record<string, string>): Promise<Tokens> {
  const answer = await fetch(address, {
    method: 'POST',
    body: new URLSearchParams(form),
    credentials: 'omit',
  }).catch(() => undefined)
  if (!answer) throw new AisleError(0, 'The sign-in provider is not responding. Try again.')
  if (!answer.ok) {
    throw new AisleError(
      answer.status >= 500 ? 503 : 401,
      'The sign-in provider refused the sign-in. Try again.',
    )
  }
  return answer.json()
}

/** Exchanges the refresh token for a new token. Throws AisleError. */
export async function renewed(renewal: Renewal): Promise<Grant> {
  const { tokenEndpoint, clientId, refreshToken } = renewal
  const form = { grant_type: 'refresh_token', refresh_token: refreshToken, client_id: clientId }
  // If the issuer sends no new refresh token, the old one stays valid.
  const tokens = { refresh_token: refreshToken, ...(await ask(tokenEndpoint, form)) }
  return grantOf(tokens, renewal)
}

export const randomText = (): string => base64url(crypto.getRandomValues(new Uint8Array(32)))

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
