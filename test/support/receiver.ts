import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'

export interface Received {
  readonly path: string
  readonly id: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Answer of the receiver; `hang` sends none, and `close` closes the connection. */
type Reply =
  | 'hang'
  | 'close'
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>> }

export interface Receiver {
  url(path?: string): string
  /** All requests received so far in order, or only those for one path. */
  received(path?: string): readonly Received[]
  /** Sets the answer; 200 by default. */
  reply(reply: Reply): void
  /** Answers the first request that still hangs. */
  release(): void
  close(): Promise<void>
}

/** Starts a server that receives callbacks. */
export async function startReceiver(port = 0): Promise<Receiver> {
  const received: Received[] = []
  const hanging: ServerResponse[] = []
  let reply: Reply = { status: 200 }
  const server = createServer(async (request, response) => {
    received.push(await read(request))
    if (reply === 'hang') hanging.push(response)
    else if (reply === 'close') request.socket.destroy()
    else response.writeHead(reply.status, reply.headers).end('not kept')
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    url: (path = '/') => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    received: (path) => received.filter((one) => path === undefined || one.path === path),
    reply(next) {
      reply = next
    },
    release: () => void hanging.shift()?.end(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function read(request: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const headers = request.headers as Record<string, string>
  return {
    path: request.url!,
    id: headers['webhook-id']!,
    headers,
    body: Buffer.concat(chunks).toString(),
  }
}

/** Whether a third-party library verifies the signature by `secret`, at whatever time. */
export function isSignedBy(secret: string, { id, headers, body }: Received): boolean {
  const time = new Date(Number(headers['webhook-timestamp']) * 1000)
  const expected = new Webhook(secret).sign(id, time, body)
  return headers['webhook-signature']!.split(' ').includes(expected)
}
