import { addressOf, type CallOptions, type Connection, headersOf } from './connection.ts'
import { AisleError } from './error.ts'
import type { Upload } from './types.ts'

/** A request in the form in which it is sent. */
export interface SentRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Upload | undefined
  /** Whether it is idempotent. */
  readonly repeatable: boolean
}

const RETRIES = 2
/** Seconds; after a longer Retry-After the call fails, so that its caller decides. */
const LONGEST_WAIT = 30
const FIRST_WAIT = 0.5

/**
 * Sends a request, and retries it after 429 (nothing was done) and, if repeatable, after 503.
 * Throws AisleError; an aborted call throws its signal's reason.
 */
export async function send(
  connection: Connection,
  request: SentRequest,
  { signal, retries = connection.retries ?? RETRIES }: CallOptions,
): Promise<Response> {
  for (let tries = 0; ; tries += 1) {
    const response = await attempt(connection, request, signal)
    if (response.ok) return response
    const failure = await failureOf(response, signal)
    const wait = failure.retryAfter ?? FIRST_WAIT * 2 ** tries
    if (tries >= retries || wait > LONGEST_WAIT || !mayRepeat(failure.status, request))
      throw failure
    // Add jitter, so that requests that were refused together do not come back together.
    await pause(wait * (1 + Math.random() / 5), signal)
  }
}

async function attempt(
  connection: Connection,
  { method, path, headers, body }: SentRequest,
  signal: AbortSignal | undefined,
): Promise<Response> {
  const call = connection.fetch ?? fetch
  const init = {
    method,
    headers: { ...headersOf(connection), ...headers },
    ...(body === undefined ? {} : { body, ...(isStream(body) ? { duplex: 'half' as const } : {}) }),
    ...(signal ? { signal } : {}),
  }
  return call(addressOf(connection, path), init).catch((cause: unknown) => {
    if (signal?.aborted) throw cause
    throw unreachable('The service is unreachable. Check the connection and try again.', cause)
  })
}

const isStream = (body: Upload): boolean =>
  typeof ReadableStream !== 'undefined' && body instanceof ReadableStream

/** A stream cannot be sent twice. */
const mayRepeat = (status: number, { repeatable, body }: SentRequest): boolean =>
  (status === 429 || (status === 503 && repeatable)) && !(body && isStream(body))

/** Reads a JSON answer. Throws AisleError if it was cut off, or the signal's reason if aborted. */
export async function readJson(response: Response, signal?: AbortSignal): Promise<unknown> {
  if (!isJson(response)) throw new AisleError(response.status, FOREIGN)
  return readWhole(() => response.json(), signal)
}

/** Reads a text answer, with the errors of `readJson`. */
export const readText = (response: Response, signal?: AbortSignal): Promise<string> =>
  readWhole(() => response.text(), signal)

async function readWhole<T>(read: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  try {
    return await read()
  } catch (cause) {
    if (signal?.aborted) throw cause
    throw cutOff(cause)
  }
}

export const CUT_OFF = 'The response was incomplete. Try again.'

/** The error of an answer that was cut off. */
export const cutOff = (cause: unknown): AisleError => unreachable(CUT_OFF, cause)

const isJson = ({ headers }: Response): boolean =>
  headers.get('content-type')?.startsWith('application/json') === true

const FOREIGN = 'The response is not from the service, but possibly from a proxy in front of it.'

const unreachable = (message: string, cause: unknown): AisleError =>
  new AisleError(0, message, { cause })

async function failureOf(response: Response, signal?: AbortSignal): Promise<AisleError> {
  const { status, headers } = response
  const told: unknown = await response.json().catch((error: unknown) => {
    if (signal?.aborted) throw error
  })
  const message = typeof told === 'string' ? told : (told as { message?: unknown })?.message
  return new AisleError(status, message ? String(message) : FOREIGN, {
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfter: secondsIn(headers.get('retry-after')),
  })
}

/** Parses Retry-After: seconds or, as some proxies send it, a date. */
function secondsIn(text: string | null): number | undefined {
  if (!text) return undefined
  const seconds = Number(text)
  const wait = Number.isFinite(seconds) ? seconds : (Date.parse(text) - Date.now()) / 1000
  return Number.isFinite(wait) ? Math.max(0, wait) : undefined
}

/** Waits; rejects with the signal's reason once it is aborted. */
export function pause(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      clearTimeout(timer)
      reject(signal!.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', leave)
      resolve()
    }, seconds * 1000)
    if (signal?.aborted) leave()
    else signal?.addEventListener('abort', leave, { once: true })
  })
}
