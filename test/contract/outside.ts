import { OutboundFailure } from '../../src/platform/outbound/failure.ts'
import type { Outbound } from '../../src/platform/outbound/outbound.ts'

const HOST = 'https://extensions.example'

/** Address of the manifest of a remote extension in the world of the contracts. */
export const manifestOf = (id: string): string => `${HOST}/${id}/manifest.json`

/** Simulates the servers outside: extensions of any id under manifestOf, and a buyer's callback. */
export const outside: Outbound = {
  async call({ url, body }) {
    if (url.startsWith(HOST) && url.endsWith('/run')) return json(stockOf(JSON.parse(String(body))))
    const [, id] = /^https:\/\/extensions\.example\/([^/]+)\/manifest\.json$/.exec(url) ?? []
    return id === undefined ? json({}, 404) : json(manifest(id))
  },
  async open({ url }) {
    if (!url.startsWith('https://buyer.example/')) throw new OutboundFailure('unreachable')
    return { status: 204, headers: {}, body: nothing() }
  },
  check: () => undefined,
  names: () => false,
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

const json = (answer: unknown, status = 200) => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify(answer)),
})

/** Stock of each product, by the vendor's or the manufacturer's part number. */
const stockOf = ({ request }: { request: { products: Record<string, string | null>[] } }) => ({
  items: request.products.map(({ vendorPartNumber, manufacturerPartNumber }) => ({
    vendorPartNumber,
    manufacturerPartNumber,
    description: 'Forge 18 V cordless drill driver',
    cost: 87.2,
    onHand: 37,
    warehouses: [{ warehouse: 'Leipzig', onHand: 37 }],
  })),
})

const manifest = (id: string) => ({
  id,
  kind: 'realtime',
  name: 'Oakvale stock and price',
  fields: [{ field: 'account', description: 'Your customer number', optional: true }],
  calls: ['run'],
})
