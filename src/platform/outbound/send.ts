import { setTimeout as sleep } from 'node:timers/promises'
import { Client, type Dispatcher } from 'undici'
import { limits } from '../../limits.ts'
import { closeOnReturn } from '../close-on-return.ts'
import { untilAborted } from '../deadline.ts'
import type { Log } from '../log.ts'
import { connectorTo } from './connect.ts'
import { failureLogText, isCutOff, OutboundFailure, type OutboundFailureKind } from './failure.ts'
import type { OutboundAnswer, OutboundRequest, ResolveTarget } from './request.ts'
import { createResponseBounds, PARSED_HEADER_BYTES } from './response-bounds.ts'

export interface OutboundTimes {
  /** Milliseconds for each address of a name. */
  readonly connectMs: number
  /** Milliseconds until the headers arrive. */
  readonly headersMs: number
  /** Milliseconds without a byte of the body. */
  readonly idleMs: number
}

interface SendParts {
  readonly times: OutboundTimes
  readonly ca: string | undefined
  readonly find: ResolveTarget
  readonly log: Log | undefined
}

/** The answer to a conditional request; not a redirect. */
const NOT_MODIFIED = 304

type OpenAnswer = OutboundAnswer<AsyncGenerator<Uint8Array>>
type ResolvedTarget = Awaited<ReturnType<ResolveTarget>>

/** Sends the request and resolves when the headers arrive. Throws OutboundFailure. */
export async function sendRequest(request: OutboundRequest, parts: SendParts): Promise<OpenAnswer> {
  request.signal?.throwIfAborted()
  const late = AbortSignal.timeout(request.timeoutMs)
  const signal = request.signal ? AbortSignal.any([late, request.signal]) : late
  const failure = (error: unknown, connected: boolean) => {
    const { aborted = false, reason } = request.signal ?? {}
    const isOver = aborted && reason instanceof Error && reason.name === 'TimeoutError'
    const failed = failureOf(error, { connected, late: late.aborted || isOver })
    const details = { ...request.about, ...failureLogText(request.url, failed) }
    // Aborted calls are not logged, except for timeouts.
    if (!aborted || isOver) parts.log?.warn(details, 'outbound call failed')
    request.signal?.throwIfAborted()
    return failed
  }
  let found: ResolvedTarget
  try {
    found = await untilAborted(signal, parts.find(request.url))
  } catch (error) {
    throw failure(error, false)
  }
  for (let mayRepeat = true; ; mayRepeat = false) {
    const sent = exchange(request, { ...parts, ...found, signal, failure })
    try {
      return await sent.answer
    } catch (error) {
      if (mayRepeat && !signal.aborted && sent.isUnanswered(error)) continue
      throw await afterRest(failure(error, sent.isConnected()), signal)
    }
  }
}

interface ExchangeParts extends Pick<SendParts, 'times' | 'ca'>, ResolvedTarget {
  readonly signal: AbortSignal
  failure(error: unknown, connected: boolean): unknown
}

/** Sends one request over its own connection. */
function exchange(
  request: OutboundRequest,
  { target, addresses, times, ca, signal, failure }: ExchangeParts,
) {
  let answered: (() => boolean) | undefined
  const bounds = createResponseBounds(target.url)
  const client = new Client(target.url.origin, {
    connect: connectorTo(addresses, {
      connectMs: times.connectMs,
      ca,
      owner: request.owner ?? '',
      onConnect(socket) {
        const before = socket.bytesRead
        answered = () => socket.bytesRead > before
        bounds.watch(socket)
      },
    }),
    // With 0, undici asks to close the connection. A server that answers before it has read a large
    // body would then close it while we send, and its answer would be lost.
    pipelining: 1,
    maxHeaderSize: PARSED_HEADER_BYTES,
    headersTimeout: times.headersMs,
    bodyTimeout: times.idleMs,
  })
  function close(): void {
    // Until it times out, the signal would keep the request and its body in memory.
    signal.removeEventListener('abort', close)
    client.destroy().catch(() => undefined)
  }
  // Also runs when an opened answer is never read.
  signal.addEventListener('abort', close, { once: true })
  const sent = client.compose(bounds.intercept).request({
    path: target.url.pathname + target.url.search,
    method: request.method ?? 'GET',
    headers: headersOf(request),
    body: request.body ?? null,
    signal,
  })
  const reading = {
    ...{ request, close, signal },
    failure: (error: unknown) => failure(error, true),
  }
  return {
    answer: sent
      .then((answer) => checked(answer, reading))
      .catch((error) => {
        close()
        throw error
      }),
    isConnected: () => answered !== undefined,
    /** The other side closed without an answer; it may not have received the request. */
    isUnanswered: (error: unknown) => isCutOff(error) && !answered?.(),
  }
}

interface AnswerInProgress {
  readonly request: OutboundRequest
  readonly signal: AbortSignal
  close(): void
  failure(error: unknown): unknown
}

function checked(
  { statusCode, headers, body }: Dispatcher.ResponseData,
  reading: AnswerInProgress,
): OpenAnswer {
  // An abandoned body reports its end as an error.
  body.on('error', () => undefined)
  if (statusCode >= 300 && statusCode < 400 && statusCode !== NOT_MODIFIED) {
    throw new OutboundFailure('redirect', undefined, [headers.location].flat()[0])
  }
  if (Number(headers['content-length']) > reading.request.maxBytes) {
    throw new OutboundFailure('tooLarge')
  }
  const flat = Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')])
  return {
    status: statusCode,
    headers: Object.fromEntries(flat),
    body: closeOnReturn(chunksOf(body, reading), reading.close),
  }
}

async function* chunksOf(
  body: AsyncIterable<Uint8Array>,
  { request, signal, close, failure }: AnswerInProgress,
): AsyncGenerator<Uint8Array> {
  let bytes = 0
  try {
    for await (const chunk of body) {
      bytes += chunk.byteLength
      if (bytes > request.maxBytes) throw new OutboundFailure('tooLarge')
      yield chunk
    }
  } catch (error) {
    throw await afterRest(failure(error), signal)
  } finally {
    close()
  }
}

/** What costs more to parse than an honest answer of its size. */
const EXPENSIVE: readonly OutboundFailureKind[] = ['largeHeaders', 'tinyPieces']

/** Reports an expensive answer late, so that a caller cannot have many of them read in a row. */
async function afterRest(failed: unknown, signal: AbortSignal): Promise<unknown> {
  if (failed instanceof OutboundFailure && EXPENSIVE.includes(failed.kind)) {
    await sleep(limits.restMs, undefined, { signal }).catch(() => undefined)
  }
  return failed
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
