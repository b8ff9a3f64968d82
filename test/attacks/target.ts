import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { OPERATOR_KEY, startService } from '../../bench/service.ts'
import type { Target, Tenant } from './attack.ts'

/** Maximum of concurrent requests while an attack is prepared. */
const AT_ONCE = 4
/** Milliseconds within which searches must find what was written. */
const FOUND_MS = 120_000

export interface RunningTarget extends Target {
  readonly pid: number
  stop(): Promise<void>
}

/** Starts the service as `npm start` does, with an embedded engine and a new data folder. */
export async function startTarget(): Promise<RunningTarget> {
  const dataDir = await mkdtemp(join(tmpdir(), 'aisle-attacks-'))
  // Started by root, the engine runs as another user, who must be able to read the folder.
  await chmod(dataDir, 0o755)
  const { origin, pid, stop } = await startService({ node: '', prefix: 'aisle', dataDir })
  return {
    ...targetAt(origin),
    pid,
    async stop() {
      await stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** The service at this address, in the form that an attack is given. */
export const targetAt = (address: string): Target => ({
  address,
  port: Number(new URL(address).port),
  operatorKey: OPERATOR_KEY,
  tenant: ({ products = 0 } = {}) => newTenant(address, products),
})

async function newTenant(origin: string, products: number): Promise<Tenant> {
  const id = `a-${crypto.randomUUID()}`
  const users = [{ username: id, role: 'administrator' }]
  const everywhere = withKey(origin, undefined, OPERATOR_KEY)
  await everywhere.expect('/api/organizations', { id, name: id, users })
  const operator = withKey(origin, id, OPERATOR_KEY)
  const { key } = await operator.expect('/api/KeyAuth/keys', { name: 'attack', username: id })
  const tenant = withKey(origin, id, key)
  await tenant.expect('/api/Catalog', { name: 'shop' })
  if (products > 0) await importProducts(tenant, products)
  return tenant
}

function withKey(origin: string, id: string | undefined, key: string) {
  const headers = {
    'x-api-version': '6.0',
    ...(id === undefined ? {} : { 'x-organization': id }),
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
  }
  const call: Tenant['call'] = (method, path, body) =>
    fetch(`${origin}${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  return {
    id: id ?? '',
    key,
    headers,
    call,
    /**
     * Sends a POST and returns the JSON of its answer; throws an Error unless the status is 200.
     */
    expect: async (path: string, body: unknown) => jsonOf(await call('POST', path, body)),
    async upload(name: string, text: string): Promise<string> {
      const answer = await fetch(`${origin}/api/files?name=${name}`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/octet-stream' },
        body: text,
      })
      return (await jsonOf(answer)).url
    },
    async add(products: Parameters<Tenant['add']>[0]) {
      const waiting = products.values()
      const work = async () => {
        for (const product of waiting) await this.expect('/api/Catalog/shop/products', product)
      }
      await Promise.all(Array.from({ length: AT_ONCE }, work))
      await untilFound(this, products.length)
    },
  }
}

type WithKey = ReturnType<typeof withKey>

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
async function jsonOf(answer: Response): Promise<any> {
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${answer.url}: ${answer.status} ${text.slice(0, 300)}`)
  return JSON.parse(text)
}

const WORDS = ['cordless', 'drill', 'notebook', 'bearing', 'cable', 'toner', 'glove', 'wrench']
const wordAt = (i: number) => WORDS[i % WORDS.length]

const productAt = (i: number) => ({
  id: `P-${i}`,
  name: `${wordAt(i)} ${wordAt(i >> 3)} model ${i % 97}`,
  manufacturer: `Maker ${i % 40}`,
  manufacturerPartNumber: `MP-${i * 7}`,
  category: wordAt(i),
  facets: { Colour: `colour ${i % 12}`, Size: `${i % 20} mm` },
  vendors: [{ vendorName: `Vendor ${i % 5}`, cost: (i % 900) + 1, onHand: i % 30 }],
})

async function importProducts(tenant: WithKey, products: number): Promise<void> {
  const lines = Array.from({ length: products }, (_, i) => JSON.stringify(productAt(i)))
  const fileUrl = await tenant.upload('shop.jsonl', lines.join('\n'))
  const request = { fileUrl, fileType: 'jsonl', targetCatalog: 'shop' }
  await tenant.expect('/api/extensions/import/import', request)
  await untilFound(tenant, products)
}

async function untilFound(tenant: WithKey, products: number): Promise<void> {
  const deadline = performance.now() + FOUND_MS
  for (;;) {
    const { total } = await tenant.expect('/api/search/simple?catalog=shop', { pageSize: 1 })
    if (total >= products) return
    if (performance.now() > deadline) throw new Error(`only ${total} of ${products} are found`)
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}
