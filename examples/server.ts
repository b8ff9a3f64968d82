import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The body of every call from Aisle: the installation with its field values, and the request. */
export interface Call<Request> {
  readonly installation: {
    readonly id: string
    readonly organization: string
    readonly vendor: string | null
    readonly fields: Readonly<Record<string, string>>
  }
  readonly request: Request
}

/** A product in the calls that ask about one. */
export interface Product {
  readonly id: string
  readonly catalog: string
  readonly manufacturer: string | null
  readonly manufacturerPartNumber: string | null
  readonly vendorPartNumber: string | null
  readonly upcs: readonly string[]
  readonly name: string | null
}

export interface RunRequest {
  readonly additionalFields: Readonly<Record<string, string>>
  readonly products: readonly Product[]
  readonly workspace: string | null
}

export interface Extension {
  readonly manifest: { readonly id: string; readonly calls: readonly string[] }
  /** Handlers of the calls that the manifest declares. */
  readonly calls: Readonly<Record<string, (call: Call<never>) => unknown>>
}

export interface Listening {
  /** Address of the manifest, for registration. */
  readonly manifestUrl: string
  /** Secret of the extension, for registration. */
  readonly secret: string
  close(): Promise<void>
}

const BODY_BYTES = 4 * 1024 * 1024
/** An older signature is refused: the call may have been recorded and replayed. */
const SIGNED_SECONDS = 5 * 60

const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

/** Serves an extension: its manifest, and its calls if they are signed with the secret. */
export async function serve(
  { manifest, calls }: Extension,
  { port = 0, host = '127.0.0.1', secret = newSecret() } = {},
): Promise<Listening> {
  const isNew = createMemory()
  const server = createServer(async (request, response) => {
    try {
      if (request.url === '/manifest.json') return answer(response, 200, manifest)
      const call = calls[request.url?.slice(1) ?? '']
      if (request.method !== 'POST' || !call) return answer(response, 404, { error: 'not found' })
      const body = await bodyOf(request)
      if (!isSigned(request, body, secret)) return answer(response, 401, { error: 'not signed' })
      if (!isNew(String(request.headers['webhook-id']))) {
        return answer(response, 401, { error: 'sent before' })
      }
      answer(response, 200, await call(JSON.parse(body.toString('utf8')) as never))
    } catch (error) {
      console.error(error)
      answer(response, 500, { error: 'something went wrong' })
    }
  })
  await new Promise<void>((resolve) => server.listen(port, host, resolve))
  const { port: taken } = server.address() as AddressInfo
  return {
    manifestUrl: `http://${host}:${taken}/manifest.json`,
    secret,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Serves an extension by `npm run example:…`, with PORT, HOST and SECRET from the environment. */
export async function serveFromCommandLine(extension: Extension, usual: number): Promise<void> {
  const { PORT, HOST, SECRET } = process.env
  const listening = await serve(extension, {
    port: Number(PORT || usual),
    ...(HOST ? { host: HOST } : {}),
    ...(SECRET ? { secret: SECRET } : {}),
  })
  const { manifestUrl, secret } = listening
  console.log(`Register it with ${JSON.stringify({ manifestUrl, secret })}`)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void listening.close())
  }
}

/** Read as bytes: the signature covers bytes, and a character may be split between two chunks. */
async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request) {
    bytes += chunk.length
    if (bytes > BODY_BYTES) throw new Error('the body is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/**
 * Returns a check for replays: whether an id is seen for the first time while its signature is
 * valid.
 */
function createMemory(): (id: string) => boolean {
  const seen = new Map<string, number>()
  return (id) => {
    const now = Date.now()
    for (const [old, at] of seen) if (now - at > 2 * SIGNED_SECONDS * 1000) seen.delete(old)
    if (seen.has(id)) return false
    seen.set(id, now)
    return true
  }
}

/** Verifies a signature of Standard Webhooks: HMAC-SHA256 over id, time and body. */
function isSigned({ headers }: IncomingMessage, body: Buffer, secret: string): boolean {
  const time = Number(headers['webhook-timestamp'])
  if (!(Math.abs(Date.now() / 1000 - time) <= SIGNED_SECONDS)) return false
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.`
  const hmac = createHmac('sha256', key).update(signed).update(body)
  const expected = Buffer.from(hmac.digest('base64'))
  return String(headers['webhook-signature'])
    .split(' ')
    .map((signature) => Buffer.from(signature.replace(/^v1,/, '')))
    .some((given) => given.length === expected.length && timingSafeEqual(given, expected))
}

function answer(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
