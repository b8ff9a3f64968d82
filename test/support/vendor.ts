import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { RealtimeResponse } from '../../src/extensions/schemas.ts'
import { createOutbound } from '../../src/platform/outbound/outbound.ts'
import { type Call, expectOk, type TestOrganization } from './client.ts'

/** The body of a call to a vendor. */
interface Asked {
  readonly installation: {
    readonly id: string
    readonly organization: string
    readonly vendor: string | null
    readonly fields: Record<string, string>
  }
  readonly request: {
    readonly additionalFields: Record<string, string>
    readonly workspace: string | null
    readonly products: readonly {
      readonly id: string
      readonly catalog: string
      readonly manufacturer: string | null
      readonly manufacturerPartNumber: string | null
      readonly vendorPartNumber: string | null
    }[]
  }
}

export type Item = Partial<RealtimeResponse['items'][number]>

/** Returns an answer, or handles the response itself. */
export type Behaviour = (asked: Asked, answer: ServerResponse) => unknown

export interface TestVendor {
  readonly url: string
  /** Calls received since the last `does`. */
  readonly asked: readonly Asked[]
  /** Highest number of concurrent calls. */
  readonly most: number
  /** Sets the behavior: an object is sent as JSON; undefined means that it handled the response. */
  does(behaviour: Behaviour): void
  close(): Promise<void>
}

/** Lets services call vendors on this machine. */
export const toLoopback = createOutbound({ allow: '127.0.0.1' })

/** A vendor's stock and price service over real HTTP. */
export async function startVendor(): Promise<TestVendor> {
  let behaviour: Behaviour = () => ({ items: [] })
  let asked: Asked[] = []
  let open = 0
  let most = 0
  const server = createServer(async (request, answer) => {
    const send = (said: unknown) =>
      answer.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(said))
    if (request.method === 'GET') return void send(manifestAt(request.url!))
    most = Math.max(most, ++open)
    answer.on('close', () => open--)
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const question = JSON.parse(Buffer.concat(chunks).toString()) as Asked
    asked.push(question)
    const said = await behaviour(question, answer)
    if (said !== undefined) send(said)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get asked() {
      return asked
    },
    get most() {
      return most
    },
    does(next) {
      behaviour = next
      asked = []
      most = 0
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Answers for each product with the part number from the call. */
export const each =
  (item: Item | ((id: string) => Item)): Behaviour =>
  ({ request }) => ({
    items: request.products.map(({ id, vendorPartNumber, manufacturerPartNumber }) => ({
      ...(vendorPartNumber ? { vendorPartNumber } : { manufacturerPartNumber }),
      ...(typeof item === 'function' ? item(id) : item),
    })),
  })

interface InstallOptions {
  readonly vendor: string
  /** Parts of its manifest. */
  readonly noStore?: boolean
  readonly fields?: readonly object[]
  readonly id?: string
  /** Further fields of the request that installs it. */
  readonly more?: object
}

/** Registers a vendor under an id; may be repeated. */
export async function registerVendor(
  call: Call,
  { url }: Pick<TestVendor, 'url'>,
  parts: Pick<InstallOptions, 'noStore' | 'fields'> & { readonly id: string },
): Promise<void> {
  const manifest = { kind: 'realtime', name: 'Stock and price', calls: ['run'], ...parts }
  const manifestUrl = `${url}/${parts.id}/of?${encodeURIComponent(JSON.stringify(manifest))}`
  await expectOk(call('POST /api/extensions/available', { body: { manifestUrl } }))
}

/** Registers a vendor in an organization and installs it there; returns the installation's id. */
export async function installVendor(
  { call }: TestOrganization,
  { url }: Pick<TestVendor, 'url'>,
  { vendor, more = {}, id = `vendor-${crypto.randomUUID()}`, ...parts }: InstallOptions,
): Promise<string> {
  await registerVendor(call, { url }, { id, ...parts })
  const body = { vendor, ...more }
  const installed = await expectOk(call(`POST /api/extensions/available/${id}/install`, { body }))
  return installed.body.id
}

const manifestAt = (path: string) => JSON.parse(decodeURIComponent(path.split('?')[1]!))
