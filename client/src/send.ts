import { addressOf, type CallOptions, type Connection, headersOf } from './connection.ts'
import { AisleError } from './error.ts'
import type { Upload } from './types.ts'

/** One request as it is sent. */
export interface SentRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Upload | undefined
  /** Doing it twice does no more than doing it once. */
  readonly repeatable: boolean
}

const RETRIES = 2
/** Seconds; whoever is to wait longer decides for themselves. */
const LONGEST_WAIT = 30
const FIRST_WAIT = 0.5

/**
 * Sends a request, again after 429 (it was never begun) and, where it is repeatable, after 503.
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
    // Those that were refused together do not come back together.
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
    throw unreachable('The service does not answer. Check the connection and try again.', cause)
  })
}

const isStream = (body: Upload): boolean =>
  typeof ReadableStream !== 'undefined' && body instanceof ReadableStream

/** A stream that was sent is gone. */
const mayRepeat = (status: number, { repeatable, body }: SentRequest): boolean =>
  (status === 429 || (status === 503 && repeatable)) && !(body && isStream(body))

/** The JSON of an answer. One that was cut off is a failure, one that was left is none. */
export async function readJson(response: Response, signal?: AbortSignal): Promise<unknown> {
  if (!isJson(response)) throw new AisleError(response.status, FOREIGN)
  return whole(() => response.json(), signal)
}

/** The text of an answer, as `readJson`. */
export const readText = (response: Response, signal?: AbortSignal): Promise<string> =>
  whole(() => response.text(), signal)

async function whole<T>(read: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  try {
    return await read()
  } catch (cause) {
    if (signal?.aborted) throw cause
    throw cutOff(cause)
  }
}

export const CUT_OFF = 'The answer was cut off. Try again.'

/** Of an answer whose end did not come. */
export const cutOff = (cause: unknown): AisleError => unreachable(CUT_OFF, cause)

const isJson = ({ headers }: Response): boolean =>
  headers.get('content-type')?.startsWith('application/json') === true

const FOREIGN = 'This is no answer of the service, perhaps one of a proxy before it.'

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

/** Retry-After is a number of seconds, or of a proxy perhaps a time. */
function secondsIn(text: string | null): number | undefined {
  if (!text) return undefined
  const seconds = Number(text)
  const wait = Number.isFinite(seconds) ? seconds : (Date.parse(text) - Date.now()) / 1000
  return Number.isFinite(wait) ? Math.max(0, wait) : undefined
}

/** Waits; an aborted signal ends that with its reason. */
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
