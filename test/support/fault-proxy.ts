import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { forwardSome } from './partial-bulk.ts'

/**
 * The fault applied to requests that `matches` selects. `busyItems` answers a third of the items of
 * a `_bulk` with 429 and does not forward them.
 */
export type Fault = 'none' | 'refuse' | 'hang' | 'busy' | 'down' | 'dropAnswer' | 'busyItems'

export interface FaultProxy {
  readonly node: string
  /**
   * Sets a fault; `matches` is given method and path, and the size in bytes. If absent, all
   * requests fail.
   */
  set(fault: Fault, matches?: (line: string, length: number) => boolean): void
  /** Delays each request until the promise that `until` returns for it is settled. */
  hold(until: (line: string, length: number) => Promise<unknown> | undefined): void
  /** Requests received since the last `set`. */
  requests(): readonly string[]
  /** Size in bytes of the largest request received since the last `set`. */
  largest(): number
  close(): Promise<void>
}

/** A proxy before a real Elasticsearch that makes it refuse, hang, or lose its answers. */
export async function startFaultProxy(target: string): Promise<FaultProxy> {
  let fault: Fault = 'none'
  let matches: (line: string, length: number) => boolean = () => true
  let held: (line: string, length: number) => Promise<unknown> | undefined = () => undefined
  let seen: string[] = []
  let largest = 0
  const { hostname, port } = new URL(target)

  const server = createServer(async (incoming, outgoing) => {
    const line = `${incoming.method} ${incoming.url}`
    seen.push(line)
    const length = Number(incoming.headers['content-length'] ?? 0)
    largest = Math.max(largest, length)
    await held(line, length)
    const active = matches(line, length) ? fault : 'none'
    if (active === 'refuse') return void incoming.socket.destroy()
    if (active === 'hang') return
    if (active === 'busy' || active === 'down') return refuse(outgoing, active)
    if (active === 'busyItems') return void forwardSome({ incoming, outgoing, target })
    forward(incoming, outgoing, active === 'dropAnswer')
  })

  function forward(incoming: IncomingMessage, outgoing: ServerResponse, drop: boolean): void {
    const upstream = request(
      { hostname, port, method: incoming.method, path: incoming.url, headers: incoming.headers },
      (answer) => {
        if (drop) {
          answer.resume().on('end', () => incoming.socket.destroy())
          return
        }
        outgoing.writeHead(answer.statusCode!, answer.headers)
        answer.pipe(outgoing)
      },
    )
    upstream.on('error', () => incoming.socket.destroy())
    incoming.pipe(upstream)
  }

  // Like Elasticsearch, keep idle connections open, since a request may be on its way.
  server.keepAliveTimeout = 0
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    node: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    set(next, which = () => true) {
      fault = next
      matches = which
      seen = []
      largest = 0
    },
    hold(until) {
      held = until
    },
    requests: () => seen,
    largest: () => largest,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function refuse(outgoing: ServerResponse, fault: 'busy' | 'down'): void {
  const [status, type] =
    fault === 'busy' ? [429, 'es_rejected_execution_exception'] : [503, 'no_shard_available']
  outgoing.writeHead(status as number, {
    'content-type': 'application/json',
    'x-elastic-product': 'Elasticsearch',
  })
  outgoing.end(JSON.stringify({ error: { type, reason: 'injected' }, status }))
}
