import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Call, expectOk } from './client.ts'

interface Received {
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

export interface TestRemote {
  readonly url: string
  readonly received: readonly Received[]
  /** Sets the answer to all requests except those for the manifest. */
  answers(answer: (response: ServerResponse, received: Received) => void): void
  close(): Promise<void>
}

/** The server of a remote extension, whose answers a test sets. */
export async function startRemote(manifest: object): Promise<TestRemote> {
  const received: Received[] = []
  let respond: (response: ServerResponse, got: Received) => void = (response) => json(response, {})
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const path = request.url!
    if (path.startsWith('/manifest.json')) return json(response, manifest)
    const got = { path, headers: request.headers, body: Buffer.concat(chunks).toString() }
    received.push(got)
    respond(response, got)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answers(answer) {
      respond = answer
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export const json = (response: ServerResponse, body: unknown): void => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** Registers an extension and installs it; returns the installation's id. */
export async function installRemote(
  call: Call,
  { manifestUrl, secret }: { manifestUrl: string; secret?: string },
  settings: object = {},
): Promise<string> {
  const registered = await expectOk(
    call('POST /api/extensions/available', { body: { manifestUrl, secret } }),
  )
  const line = `POST /api/extensions/available/${registered.body.id}/install`
  return (await expectOk(call(line, { body: settings }))).body.id
}
