import { describe, expect, test } from 'vitest'
import {
  type Attempt,
  authorizationAddress,
  checkIdToken,
  codeForm,
  codeIn,
  isReturn,
  usableToken,
} from '../../../storefront/src/console/openid/flow.ts'

const attempt: Attempt = {
  issuer: 'https://login.example',
  tokenEndpoint: 'https://login.example/token',
  clientId: 'console',
  audiences: ['api://aisle', 'console'],
  redirect: 'https://catalog.example/console',
  state: 'its state',
  nonce: 'its nonce',
  verifier: 'its verifier',
  query: '?page=users',
}
const token = (claims: object) =>
  `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.c2ln`

test('requests a code with PKCE, and keeps query parameters of the endpoint', () => {
  const address = authorizationAddress('https://login.example/auth?tenant=shop', {
    scope: 'openid email',
    challenge: 'its challenge',
    attempt,
  })
  expect(Object.fromEntries(new URL(address).searchParams)).toEqual({
    tenant: 'shop',
    response_type: 'code',
    client_id: 'console',
    redirect_uri: 'https://catalog.example/console',
    scope: 'openid email',
    state: 'its state',
    nonce: 'its nonce',
    code_challenge: 'its challenge',
    code_challenge_method: 'S256',
  })
  expect(address).not.toContain('verifier')
})

describe('a redirect back from an issuer', () => {
  const said = (query: Record<string, string>) => new URLSearchParams(query)

  test('has a code, or the reason why there is none', () => {
    expect(isReturn(said({ state: 'its state', code: 'c' }))).toBe(true)
    expect(isReturn(said({ page: 'users', id: 'code' }))).toBe(false)
    expect(codeIn(said({ state: 'its state', code: 'c' }), attempt)).toBe('c')
    expect(codeForm('c', attempt)).toEqual({
      grant_type: 'authorization_code',
      code: 'c',
      redirect_uri: 'https://catalog.example/console',
      client_id: 'console',
      code_verifier: 'its verifier',
    })
    const refused = said({ state: 'its state', error: 'x', error_description: 'n'.repeat(999) })
    expect(() => codeIn(refused, attempt)).toThrow(/^Sign-in failed: n{200}$/)
  })

  test('is refused if it belongs to another sign-in', () => {
    const own = { state: 'its state', code: 'c' }
    for (const [query, known] of [
      [own, undefined],
      [{ ...own, state: 'another' }, attempt],
      [{ ...own, iss: 'https://other.example' }, attempt],
      [{ state: 'another', error: 'phishing' }, attempt],
    ] as const) {
      expect(() => codeIn(said(query), known)).toThrow('was not started in this tab')
    }
  })
})

test('an ID token must belong to this attempt', () => {
  const claims = { iss: attempt.issuer, aud: ['console'], nonce: 'its nonce' }
  checkIdToken({ id_token: token(claims) }, attempt)
  for (const other of [{ iss: 'x' }, { aud: 'other' }, { nonce: undefined }, { nonce: 'x' }]) {
    expect(() => checkIdToken({ id_token: token({ ...claims, ...other }) }, attempt)).toThrow(
      'answered a different sign-in',
    )
  }
  for (const odd of [undefined, 7, 'a.b', 'a.!.c', token([]), 'a.bnVsbA.c']) {
    expect(() => checkIdToken({ id_token: odd }, attempt)).toThrow('answered a different sign-in')
  }
})

test('the service gets an access token that is for it, else the ID token', () => {
  const access = token({ aud: 'api://aisle', exp: 100 })
  const id = token({ aud: 'console', exp: 200, name: 'Löv' })
  const { audiences } = attempt
  const tokens = { access_token: access, id_token: id }
  expect(usableToken(tokens, audiences)).toEqual({ token: access, expires: 100_000 })
  expect(usableToken(tokens, ['console'])).toEqual({ token: id, expires: 200_000 })
  expect(usableToken({ access_token: 'opaque', id_token: id }, audiences).token).toBe(id)
  expect(() => usableToken(tokens, ['other'])).toThrow('OIDC_AUDIENCE')
})
