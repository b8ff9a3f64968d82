import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect, type Reply, type Wire } from './http.ts'

/** A request to Elasticsearch and its answer. */
export interface Exchange {
  readonly wire: Wire
  readonly reply: Reply
}

export interface Recorder {
  /** Address to give to the service instead of Elasticsearch's. */
  readonly node: string
  /**
   * Calls `keep` with each exchange from now on, once its answer is there; replaces an earlier
   * `keep`.
   */
  record(keep: (exchange: Exchange) => void): void
  /** Stops recording; returns the highest number of concurrent `_bulk` requests. */
  stop(): number
  close(): Promise<void>
}

/** Headers that belong to one connection; a replay has its own. */
const HOP_HEADERS = new Set([
  'connection',
  'keep-alive',
  'host',
  'content-length',
  'transfer-encoding',
])

/** Starts a proxy in front of Elasticsearch that forwards requests and answers unchanged. */
export async function startRecorder(target: { node: string; ca?: string }): Promise<Recorder> {
  const upstream = connect(target.node, { connections: 64, ...(target.ca && { ca: target.ca }) })
  let keep: (exchange: Exchange) => void = () => {}
  let underWay = 0
  let most = 0

  async function handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const wire = await wireOf(incoming)
    const isBulk = isBulkRequest(wire)
    if (isBulk) most = Math.max(most, ++underWay)
    try {
      const reply = await upstream.send(wire)
      keep({ wire, reply })
      outgoing.writeHead(reply.status, {
        'content-type': reply.type,
        'content-length': reply.body.length,
        'x-elastic-product': 'Elasticsearch',
      })
      outgoing.end(wire.method === 'HEAD' ? undefined : reply.body)
    } finally {
      if (isBulk) underWay -= 1
    }
  }

  const server = createServer((incoming, outgoing) => {
    handle(incoming, outgoing).catch(() => incoming.socket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    node: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    record(next) {
      keep = next
      most = 0
    },
    stop() {
      keep = () => {}
      return most
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await upstream.close()
    },
  }
}

export const isBulkRequest = ({ path }: Pick<Wire, 'path'>): boolean => /\/_bulk(\?|$)/.test(path)

async function wireOf(incoming: IncomingMessage): Promise<Wire> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  const headers = Object.fromEntries(
    Object.entries(incoming.headers).filter(([name]) => !HOP_HEADERS.has(name)),
  ) as Record<string, string>
  return {
    method: incoming.method!,
    path: incoming.url!,
    headers,
    ...(chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }),
  }
}
