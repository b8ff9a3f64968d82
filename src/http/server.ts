import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { StartupFailure } from '../errors.ts'

/** Milliseconds in which a request's headers must have arrived. */
const HEADERS_MS = 10_000
const CONNECTIONS = 4_096
const HEADER_BYTES = 16 * 1024
/** Milliseconds that requests under way have to end once the service stops. */
const DRAIN_MS = 4_000
const IDLE_CHECK_MS = 50

export type Fetch = (request: Request) => Response | Promise<Response>

export interface HttpServer {
  readonly port: number
  /** Replaces what answers; requests under way keep theirs. */
  answerWith(fetch: Fetch): void
  /** Takes no more connections and resolves when the open requests are answered or cut off. */
  close(): Promise<void>
}

/** Listens, or throws StartupFailure when the port cannot be had. */
export async function listen(options: {
  port: number
  host: string
  fetch: Fetch
}): Promise<HttpServer> {
  let answer = options.fetch
  const server = createServer(
    { headersTimeout: HEADERS_MS, requestTimeout: 0, maxHeaderSize: HEADER_BYTES },
    getRequestListener((request) => answer(request), { overrideGlobalObjects: false }),
  )
  server.maxConnections = CONNECTIONS
  await started(server, options)
  return {
    port: (server.address() as AddressInfo).port,
    answerWith(fetch) {
      answer = fetch
    },
    close: () => drain(server),
  }
}

// Connections that clients keep alive would hold up the end after their last answer.
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
    // For good: when a connection cannot be taken later on, that must not end the service.
    server.on('error', (error: NodeJS.ErrnoException) => {
      const why: Record<string, string> = {
        EADDRINUSE: `Port ${port} is taken: stop what listens there, or set PORT to another one.`,
        EACCES: `Port ${port} needs more rights: set PORT to one above 1023.`,
        EADDRNOTAVAIL: `This machine has no address ${host}: set HOST to one that it has.`,
        ENOTFOUND: `HOST ${host} is not known: set it to an address of this machine.`,
      }
      const text = why[error.code ?? ''] ?? `Cannot listen on ${host}:${port} (${error.code}).`
      reject(new StartupFailure(text, { cause: error }))
    })
    server.listen(port, host, resolve)
  })
}
