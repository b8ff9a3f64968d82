import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Canary {
  readonly port: number
  /** Connections so far, whether or not anything was sent on them. */
  connections(): number
  /** Local address of each connection. */
  addresses(): readonly string[]
  close(): Promise<void>
}

type Handle = (request: IncomingMessage, response: ServerResponse) => void

/** An HTTP server on all addresses of this machine that counts connections. */
export async function startCanary(
  handle: Handle = (_request, response) => void response.end('canary'),
): Promise<Canary> {
  const seen: string[] = []
  const server = createServer(handle)
  server.on('connection', (socket) => seen.push(socket.localAddress ?? ''))
  await new Promise<void>((resolve) => server.listen(0, '::', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => seen.length,
    addresses: () => seen,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
