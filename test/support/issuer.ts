import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'
import Provider from 'oidc-provider'

/** Client id of the console at the issuer. */
export const CLIENT = 'aisle-console'

/** Additional claims of an account's tokens, by account name. */
export type Accounts = Record<string, Record<string, unknown>>

export interface TestIssuer {
  readonly name: string
  /** Number of requests for its keys so far. */
  keyCalls(): number
  /** Signs in to an account through the pages a browser would show; returns an ID token. */
  signIn(account: string): Promise<string>
  /** A token signed by the newest key, with other claims or another header. */
  token(claims?: Record<string, unknown>, header?: Record<string, unknown>): Promise<string>
  /** Its public keys. */
  readonly keys: readonly JWK[]
  /** Signs tokens with a new key from now on, and publishes it. */
  rotate(): Promise<void>
  /** Allows another redirect address. */
  sendBackTo(redirect: string): void
  /** Stops answering until called again: closes new connections, or lets requests wait. */
  pause(how?: 'close' | 'wait'): void
  stop(): Promise<void>
}

const REDIRECT = 'http://127.0.0.1/console'

/**
 * Starts a real OpenID provider on this machine. Its accounts can be changed through the object
 * that is passed in; its ID tokens are valid for `seconds`.
 */
export async function startIssuer(
  accounts: Accounts,
  { seconds = 600 }: { seconds?: number } = {},
): Promise<TestIssuer> {
  const redirects = [REDIRECT]
  let calls = 0
  let paused: 'close' | 'wait' | undefined
  let keys: JWK[] = [await newKey('first')]
  let answer: ReturnType<Provider['callback']> | undefined
  const server = createServer((request, response) => {
    if (paused === 'close') return void request.socket.destroy()
    if (paused === 'wait') return
    if (request.url === '/jwks') calls++
    void answer!(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const name = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provide = () => {
    answer = createProvider(name, { accounts, keys, redirects, seconds })
  }
  provide()
  return {
    name,
    get keys() {
      return keys.map(({ d: _, ...shown }) => shown)
    },
    keyCalls: () => calls,
    signIn: (account) => signInAt(name, account),
    async token(claims = {}, header = {}) {
      const now = Math.floor(Date.now() / 1_000)
      const [key] = keys
      return new SignJWT({
        ...{ iss: name, aud: CLIENT, sub: 'ada', iat: now, exp: now + 300 },
        ...claims,
      })
        .setProtectedHeader({ alg: 'ES256', kid: key!.kid!, ...header })
        .sign(key!)
    },
    async rotate() {
      keys = [await newKey(`key-${calls}-${keys.length}`), ...keys]
      provide()
    },
    sendBackTo(redirect) {
      redirects.push(redirect)
      provide()
    },
    pause(how = 'close') {
      paused = paused ? undefined : how
    },
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function newKey(kid: string): Promise<JWK> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  return { ...(await exportJWK(privateKey)), kid, alg: 'ES256', use: 'sig' }
}

interface Parts {
  readonly accounts: Accounts
  readonly keys: readonly JWK[]
  readonly redirects: readonly string[]
  readonly seconds: number
}

/** Token types other than ID tokens. */
const MADE = ['AccessToken', 'Grant', 'Interaction', 'RefreshToken', 'Session']

function createProvider(name: string, { accounts, keys, redirects, seconds }: Parts) {
  const { warn } = console
  // The provider warns of its test settings: sign-in without passwords, and no storage.
  console.warn = () => undefined
  const provider = new Provider(name, {
    ttl: { ...Object.fromEntries(MADE.map((kind) => [kind, 600])), IdToken: seconds },
    clients: [
      {
        client_id: CLIENT,
        token_endpoint_auth_method: 'none',
        application_type: 'native',
        redirect_uris: redirects,
        grant_types: ['authorization_code', 'refresh_token'],
        id_token_signed_response_alg: 'ES256',
      },
    ],
    jwks: { keys },
    claims: {
      openid: ['sub', 'roles'],
      email: ['email', 'email_verified'],
      profile: ['name', 'preferred_username'],
    },
    conformIdTokenClaims: false,
    clientBasedCORS: () => true,
    issueRefreshToken: async () => true,
    cookies: { keys: ['of this test'] },
    findAccount: async (_ctx: unknown, sub: string) => ({
      accountId: sub,
      claims: async () => ({ sub, ...accounts[sub] }),
    }),
  })
  console.warn = warn
  return provider.callback()
}

/** Performs the sign-in steps of a browser that comes from the console. */
async function signInAt(issuer: string, account: string): Promise<string> {
  const verifier = 'v'.repeat(64)
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  const query = new URLSearchParams({
    client_id: CLIENT,
    redirect_uri: REDIRECT,
    response_type: 'code',
    scope: 'openid profile email',
    code_challenge: Buffer.from(digest).toString('base64url'),
    code_challenge_method: 'S256',
  })
  const jar = new Map<string, string>()
  const ask = async (address: string, form?: Record<string, string>) => {
    const answer = await fetch(new URL(address, issuer), {
      redirect: 'manual',
      headers: { cookie: [...jar].map(([key, value]) => `${key}=${value}`).join('; ') },
      ...(form ? { method: 'POST', body: new URLSearchParams(form) } : {}),
    })
    for (const cookie of answer.headers.getSetCookie()) {
      const [, key, value] = /^([^=]+)=([^;]*)/.exec(cookie)!
      if (value === '') jar.delete(key!)
      else jar.set(key!, value!)
    }
    return answer.headers.get('location') ?? (await answer.text())
  }
  let at = await ask(`/auth?${query}`)
  for (const form of [
    { prompt: 'login', login: account, password: 'any' },
    { prompt: 'consent' },
  ]) {
    at = await ask(await ask(at, form))
  }
  const answer = await fetch(`${issuer}/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: CLIENT,
      redirect_uri: REDIRECT,
      code: new URL(at).searchParams.get('code')!,
      code_verifier: verifier,
    }),
  })
  const { id_token: token } = (await answer.json()) as { id_token: string }
  return token
}
