import { setTimeout } from 'node:timers/promises'
import { freshOrganization } from './organization-pool.ts'
import type { TestService } from './service.ts'

/** The operator key of every test service. */
export const OPERATOR_KEY = 'test-operator-key-of-at-least-32-characters'

export interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape
  readonly body: any
  readonly headers: Headers
}

export interface CallParts {
  readonly key?: string | null
  readonly organization?: string | null
  readonly version?: string | null
  readonly body?: unknown
  readonly headers?: Record<string, string>
}

/** Sends one request, `call('POST /api/search?catalog=c', {body})`, and returns its JSON answer. */
export type Call = (line: string, parts?: CallParts) => Promise<Answer>

/** Calls the service as one user. Each part can be overridden; null leaves it out. */
export function caller(service: Pick<TestService, 'fetch'>, defaults: CallParts = {}): Call {
  return async (line, parts = {}) => {
    const [method, path] = line.split(/ (.*)/s) as [string, string]
    const { key, organization, version = '6.0', body, headers } = { ...defaults, ...parts }
    const request = new Request(`http://localhost${path}`, {
      method,
      headers: {
        ...(version === null ? {} : { 'x-api-version': version }),
        ...(key ? { authorization: `Bearer ${key}` } : {}),
        ...(organization ? { 'x-organization': organization } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...defaults.headers,
        ...headers,
      },
      ...(body === undefined ? {} : { body: rawOrJson(body) }),
    })
    const answer = await service.fetch(request)
    const text = await answer.text()
    const json = text !== '' && /^application\/json/.test(answer.headers.get('content-type') ?? '')
    return { status: answer.status, body: json ? JSON.parse(text) : text, headers: answer.headers }
  }
}

/** The service of another process, for a caller. */
export const serviceAt = (address: string): Pick<TestService, 'fetch'> => ({
  fetch: (request) => fetch(new Request(request.url.replace('http://localhost', address), request)),
})

const rawOrJson = (body: unknown): string | Uint8Array<ArrayBuffer> =>
  typeof body === 'string' || body instanceof Uint8Array
    ? (body as string | Uint8Array<ArrayBuffer>)
    : JSON.stringify(body)

export interface TestOrganization {
  readonly id: string
  /** Calls as an administrator of this organization. */
  readonly call: Call
  /** Calls as a member with this role, whose full key is created on first use. */
  as(role: 'viewer' | 'editor' | 'administrator'): Promise<Call>
  key(username: string, type?: 'full' | 'search' | 'import'): Promise<string>
}

/** Creates an organization with an administrator, an editor and a viewer. */
export async function newOrganization(
  service: TestService,
  parent?: string,
): Promise<TestOrganization> {
  const made = parent === undefined ? await freshOrganization(service.services) : undefined
  const id = made?.id ?? (await newChild(service, parent!))
  const operator = caller(service, { key: OPERATOR_KEY })
  // Each is used once, since tests disable keys and compare them.
  const unused = new Map<string, string>(Object.entries(made?.keys ?? {}))
  const taken = (username: string) => {
    const known = unused.get(username)
    unused.delete(username)
    return known
  }
  const key = async (username: string, keyType: 'full' | 'search' | 'import' = 'full') => {
    const known = keyType === 'full' ? taken(username) : undefined
    if (known) return known
    const answer = await expectOk(
      operator('POST /api/KeyAuth/keys', {
        organization: id,
        body: { name: `${username} ${keyType}`, keyType, username },
      }),
    )
    return answer.body.key as string
  }
  const as = async (role: 'viewer' | 'editor' | 'administrator') =>
    caller(service, { key: await key(role), organization: id })
  const call = await as('administrator')
  return { id, call, as, key }
}

async function newChild(service: TestService, parent: string): Promise<string> {
  const id = `t-${crypto.randomUUID()}`
  const users = ['administrator', 'editor', 'viewer'].map((role) => ({ username: role, role }))
  const operator = caller(service, { key: OPERATOR_KEY })
  await expectOk(operator('POST /api/organizations', { body: { id, name: id, parent, users } }))
  return id
}

export async function expectOk(answer: Promise<Answer>): Promise<Answer> {
  const got = await answer
  if (got.status !== 200) throw new Error(`${got.status}: ${JSON.stringify(got.body)}`)
  return got
}

const TRIES = 20

/**
 * Sends a request again after each 503 and 429, as interface.md advises. `unclear` counts the 503s:
 * such a request may have taken effect, so its repetition may find its own work. After a 429
 * nothing was done.
 */
export async function untilAccepted(
  send: () => Promise<Answer>,
): Promise<{ answer: Answer; unclear: number }> {
  for (let unclear = 0, left = TRIES; ; left--) {
    const answer = await send()
    if (![429, 503].includes(answer.status) || left === 0) return { answer, unclear }
    if (answer.status === 503) unclear++
    else await setTimeout(Number(answer.headers.get('retry-after')) * 1_000)
  }
}
