import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener, RequestError } from '@hono/node-server'
import { StartupFailure } from '../errors.ts'
import { limits } from '../limits.ts'
import { isIn, type Network } from '../platform/outbound/addresses.ts'
import { addressKey, clientAddress } from './client-address.ts'
import { type ConnectionBounds, limitConnections } from './connections.ts'
import { answerMalformed, framingProblem, refusal } from './malformed.ts'
import { withoutPipelining } from './pipelining.ts'
import { limitSmallChunks } from './small-chunks.ts'
import { stopParsing } from './stop-parsing.ts'
import { endsConnection, leaveUnread } from './unread-bodies.ts'

/** Milliseconds that requests under way have to end once the service stops. */
const DRAIN_MS = 4_000
const IDLE_CHECK_MS = 50

/** `client` stands for all addresses of the sender; absent for a request without a connection. */
export type Fetch = (request: Request, client?: string) => Response | Promise<Response>

export interface HttpServer {
  readonly port: number
  /** Replaces the handler. Requests under way keep theirs. */
  answerWith(fetch: Fetch): void
  /** Accepts no more connections, and resolves when the open requests are answered or cut off. */
  close(): Promise<void>
}

export interface ListenOptions {
  readonly port: number
  readonly host: string
  readonly fetch: Fetch
  /** Proxies whose X-Forwarded-For is trusted and whose connections are not limited. */
  readonly proxies?: readonly Network[]
  /** Those of limits.ts when absent. */
  readonly bounds?: Partial<ConnectionBounds & Record<'headersMs' | 'silentMs', number>>
}

/** Listens. Throws StartupFailure when the port is not available. */
export async function listen({ proxies = [], ...options }: ListenOptions): Promise<HttpServer> {
  const bounds = { ...limits, ...options.bounds }
  let answer = options.fetch
  const listener = getRequestListener(
    async (request, env) => {
      const { incoming } = env as { incoming: IncomingMessage }
      const { socket, headers } = incoming
      const forwarded = headers['x-forwarded-for']?.toString()
      const client = addressKey(clientAddress(socket.remoteAddress ?? '', forwarded, proxies))
      const answered = await answer(request, client)
      if (endsConnection(answered)) {
        if (incoming.complete) answered.headers.delete('connection')
        else leaveUnread(incoming)
      }
      return answered
    },
    // The package's own Response, which replaces the global one, is sent without a stream.
    { errorHandler: refused },
  )
  const server = createServer({
    headersTimeout: bounds.headersMs,
    keepAliveTimeout: limits.keepAliveMs,
    maxHeaderSize: limits.headerBytes,
    // Bodies have bounds of their own; see body.ts.
    requestTimeout: 0,
    connectionsCheckingInterval: 1_000,
    requireHostHeader: false,
  })
  // For connections without any traffic: silent uploads, and answers that nobody reads.
  server.timeout = bounds.silentMs
  const connections = limitConnections(server, bounds, (address) => isIn(address, proxies))
  answerMalformed(server, connections)
  server.on('request', (request) =>
    limitSmallChunks(request, (error) => server.emit('clientError', error, request.socket)),
  )
  server.on(
    'request',
    withoutPipelining(
      (request, response) => {
        connections.began(request, response)
        const problem = framingProblem(request)
        if (problem === undefined) return void listener(request, response)
        const { headers, body } = refusal(problem)
        response.writeHead(400, headers).end(body)
      },
      (socket) => {
        connections.wasMalformed(socket)
        stopParsing(socket)
        socket.resetAndDestroy()
      },
    ),
  )
  await started(server, options)
  return {
    port: (server.address() as AddressInfo).port,
    answerWith(fetch) {
      answer = fetch
    },
    close: () => drain(server),
  }
}

/** Answers requests that Hono cannot represent, such as those without a host. */
function refused(error: unknown): Response {
  return error instanceof RequestError
    ? refusalOf(400, `${error.message}.`)
    : refusalOf(500, 'An internal error occurred.')
}

function refusalOf(status: number, message: string): Response {
  const { headers, body } = refusal(message)
  return new Response(body, { status, headers })
}

// Kept-alive connections would delay the end after their last answer.
function drain(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS)
    const late = setTimeout(() => server.closeAllConnections(), DRAIN_MS)
    server.close(() => {
      clearInterval(idle)
      clearTimeout(late)
      resolve()
    })
  })
}

function started(server: Server, { port, host }: { port: number; host: string }): Promise<void> {
  return new Promise((resolve, reject) => {
    // The listener stays, since a connection that cannot be accepted later must not end the
    // service.
    server.on('error', (error: NodeJS.ErrnoException) => {
      const why: Record<string, string> = {
        EADDRINUSE: `Port ${port} is already in use: stop the process that listens on it, or set PORT to another port.`,
        EACCES: `No permission to listen on port ${port}: set PORT to a port above 1023.`,
        EADDRNOTAVAIL: `${host} is not an address of this machine: set HOST to one of its addresses.`,
        ENOTFOUND: `HOST ${host} cannot be resolved: set it to an address of this machine.`,
      }
      const text = why[error.code ?? ''] ?? `Cannot listen on ${host}:${port} (${error.code}).`
      reject(new StartupFailure(text, { cause: error }))
    })
    server.listen(port, host, resolve)
  })
}
