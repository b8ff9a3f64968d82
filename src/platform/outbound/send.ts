import { Client, type Dispatcher } from 'undici'
import { closing } from '../closing.ts'
import { untilAborted } from '../in-time.ts'
import { connectorTo } from './connect.ts'
import { OutboundFailure } from './failure.ts'
import type { Find, OutboundAnswer, OutboundRequest } from './outbound.ts'

export interface OutboundTimes {
  /** Milliseconds for each address of a name. */
  readonly connectMs: number
  /** Milliseconds until the headers of the answer are there. */
  readonly headersMs: number
  /** Milliseconds that the body may be silent. */
  readonly idleMs: number
}

interface SendParts {
  readonly times: OutboundTimes
  readonly ca: string | undefined
  readonly find: Find
}

const HEADER_BYTES = 16 * 1024

/** Sends the request and answers as soon as the headers are there. Throws OutboundFailure. */
export async function begin(
  request: OutboundRequest,
  { times, ca, find }: SendParts,
): Promise<OutboundAnswer<AsyncGenerator<Uint8Array>>> {
  request.signal?.throwIfAborted()
  const late = AbortSignal.timeout(request.timeoutMs)
  const signal = request.signal ? AbortSignal.any([late, request.signal]) : late
  let connected = false
  let client: Client | undefined
  const close = () => void client?.destroy().catch(() => undefined)
  const failure = (error: unknown) => {
    close()
    request.signal?.throwIfAborted()
    return failureOf(error, { connected, late: late.aborted })
  }
  // Also where an answer was opened and then forgotten.
  signal.addEventListener('abort', close, { once: true })
  try {
    const { target, addresses } = await untilAborted(signal, find(request.url))
    client = new Client(target.url.origin, {
      connect: connectorTo(addresses, {
        connectMs: times.connectMs,
        ca,
        onConnect: () => {
          connected = true
        },
      }),
      pipelining: 0,
      maxHeaderSize: HEADER_BYTES,
      headersTimeout: times.headersMs,
      bodyTimeout: times.idleMs,
    })
    const answer = await client.request({
      path: target.url.pathname + target.url.search,
      method: request.method ?? 'GET',
      headers: headersOf(request),
      body: request.body ?? null,
      signal,
      reset: true,
    })
    return checked(answer, { request, close, failure })
  } catch (error) {
    throw failure(error)
  }
}

interface Reading {
  readonly request: OutboundRequest
  close(): void
  failure(error: unknown): unknown
}

function checked(
  { statusCode, headers, body }: Dispatcher.ResponseData,
  reading: Reading,
): OutboundAnswer<AsyncGenerator<Uint8Array>> {
  // An abandoned body tells of its end as an error.
  body.on('error', () => undefined)
  if (statusCode >= 300 && statusCode < 400) throw new OutboundFailure('redirect')
  if (Number(headers['content-length']) > reading.request.maxBytes) {
    throw new OutboundFailure('tooLarge')
  }
  const flat = Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')])
  return {
    status: statusCode,
    headers: Object.fromEntries(flat),
    body: closing(chunksOf(body, reading), reading.close),
  }
}

async function* chunksOf(
  body: AsyncIterable<Uint8Array>,
  { request, close, failure }: Reading,
): AsyncGenerator<Uint8Array> {
  let bytes = 0
  try {
    for await (const chunk of body) {
      bytes += chunk.byteLength
      if (bytes > request.maxBytes) throw new OutboundFailure('tooLarge')
      yield chunk
    }
  } catch (error) {
    throw failure(error)
  } finally {
    close()
  }
}

function headersOf({ headers, basic }: OutboundRequest): Record<string, string> {
  const sent = { 'user-agent': 'aisle', 'accept-encoding': 'identity', ...headers }
  if (!basic) return sent
  const credentials = Buffer.from(`${basic.username}:${basic.password}`).toString('base64')
  return { ...sent, authorization: `Basic ${credentials}` }
}

const TIMEOUTS = ['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']

function failureOf(error: unknown, { connected, late }: { connected: boolean; late: boolean }) {
  if (error instanceof OutboundFailure) return error
  if (!connected) return new OutboundFailure('unreachable', error)
  const timedOut = late || TIMEOUTS.includes((error as { code?: string }).code ?? '')
  return new OutboundFailure(timedOut ? 'late' : 'broken', error)
}
