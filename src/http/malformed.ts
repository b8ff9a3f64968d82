import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { limits } from '../limits.ts'
import { isHostTooLong } from '../platform/parse-url.ts'
import { failed } from '../shapes.ts'
import type { ConnectionTracker } from './connections.ts'
import { answerHeaders, mediaType } from './revision.ts'
import { SMALL_CHUNKS } from './small-chunks.ts'
import { stopParsing } from './stop-parsing.ts'

/** The end of the status line, and what the caller is told. */
type Refusal = readonly [status: string, message: string]

/** The code of headers that arrive too late. */
const SLOW = 'ERR_HTTP_REQUEST_TIMEOUT'
/**
 * Codes that well-behaved clients cause as well, by going away or ending before their request does.
 */
const OF_THE_NETWORK = new Set<string | undefined>([SLOW, 'ECONNRESET', 'HPE_INVALID_EOF_STATE'])

const REFUSALS: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: [
    '431 Request Header Fields Too Large',
    `The headers are larger than ${limits.headerBytes} bytes.`,
  ],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [
    '413 Payload Too Large',
    'The chunk extensions of the body are too large.',
  ],
  [SMALL_CHUNKS]: [
    '400 Bad Request',
    `The body arrives in chunks of less than ${limits.bodyPieceBytes} bytes. Send larger chunks.`,
  ],
  [SLOW]: [
    '408 Request Timeout',
    `The headers were not received within ${limits.headersMs / 1_000} s.`,
  ],
}
const MALFORMED: Refusal = ['400 Bad Request', 'The request is not well-formed HTTP/1.1.']
const EXPECTATION: Refusal = [
  '417 Expectation Failed',
  'The only supported value of Expect is 100-continue.',
]
const METHOD: Refusal = ['405 Method Not Allowed', 'Method not allowed here.']

/**
 * Answers what Node's parser refuses with the body and headers of any other failure, and ends the
 * connection. Sends nothing while a request before it is served, since it would be taken for the
 * answer to that, or a part of it.
 */
export function answerMalformed(server: Server, connections: ConnectionTracker): void {
  const { isServing, wasMalformed } = connections
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // Destroying the socket emits the event once more.
    if (socket.destroyed) return
    if (!OF_THE_NETWORK.has(error.code)) wasMalformed(socket)
    const canBeTold = socket.writable && error.code !== 'ECONNRESET' && !isServing(socket)
    if (canBeTold) socket.write(answerTo(REFUSALS[error.code ?? ''] ?? MALFORMED))
    socket.destroy(error)
  })
  server.on('connect', (_: IncomingMessage, socket: Socket) => {
    socket.on('error', () => undefined)
    socket.end(answerTo(METHOD), () => socket.destroy())
  })
  server.on('checkExpectation', ({ socket }: IncomingMessage) => {
    wasMalformed(socket)
    stopParsing(socket)
    if (!isServing(socket)) socket.write(answerTo(EXPECTATION))
    socket.destroy()
  })
}

/**
 * What is wrong with the headers of a request that Node's parser accepts, but that a proxy may
 * understand in another way. Source: RFC 9112, sections 3.2 and 6.1.
 */
export function framingProblem(request: IncomingMessage): string | undefined {
  const { headers, rawHeaders, url = '' } = request
  const coding = headers['transfer-encoding']
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') {
    return 'The only supported value of Transfer-Encoding is chunked.'
  }
  // Names and values alternate.
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]!.length === 4 && rawHeaders[at]!.toLowerCase() === 'host') hosts++
  }
  if (hosts > 1) return 'The request has more than one Host header.'
  const named = url.startsWith('/') ? `http://${headers.host ?? ''}` : url
  return isHostTooLong(named) ? 'The host name is too long.' : undefined
}

/** The headers and body of an answer outside of any operation, after which the connection ends. */
export function refusal(message: string) {
  const body = JSON.stringify(failed(message))
  const headers = {
    ...answerHeaders(undefined, crypto.randomUUID()),
    'content-type': mediaType(undefined),
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }
  return { headers, body }
}

function answerTo([status, message]: Refusal): string {
  const { headers, body } = refusal(message)
  const lines = Object.entries({ date: new Date().toUTCString(), ...headers })
  return [
    `HTTP/1.1 ${status}`,
    ...lines.map(([name, value]) => `${name}: ${value}`),
    '',
    body,
  ].join('\r\n')
}
