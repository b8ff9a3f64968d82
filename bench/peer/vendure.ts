import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { connect, jsonOf, type Reply, type Target, type Wire } from '../http.ts'
import type { Searcher } from '../relevance/searchers.ts'
import { freePort, type RunningService, startProcess } from '../service.ts'

const FOLDER = join(import.meta.dirname, 'vendure')
const FILL_MS = 3_600_000

/** Settings that the scripts in `vendure/` read. */
export interface VendureSettings {
  /** Path of its database. */
  readonly database: string
  readonly elasticsearch: { readonly node: string; readonly [option: string]: unknown }
  readonly indexPrefix: string
  /** Path of the file with the products. */
  readonly products: string
}

/** Installs its packages beside its scripts, unless they are there in the same versions. */
export async function installVendure(say: (line: string) => void): Promise<void> {
  const lock = await readFile(join(FOLDER, 'package-lock.json'), 'utf8')
  const mark = join(FOLDER, 'node_modules', '.installed-lock.json')
  if ((await readFile(mark, 'utf8').catch(() => '')) === lock) return
  say('installing Vendure')
  await promisify(execFile)('npm', ['ci'], { cwd: FOLDER })
  await writeFile(mark, lock)
}

const run = (script: string, settings: unknown, startMs: number, word: string) =>
  startProcess(
    {
      args: [script, JSON.stringify(settings)],
      cwd: FOLDER,
      env: { NODE_ENV: 'production', VENDURE_DISABLE_TELEMETRY: 'true' },
      startMs,
    },
    async (said) => said.includes(word),
  )

/** Fills its database, and lets it index all products. */
export async function fillVendure(settings: VendureSettings): Promise<void> {
  const { stop } = await run('fill.js', settings, FILL_MS, 'filled')
  await stop()
}

/** Starts Vendure in its own process; `exact` turns off the fuzziness of its plugin. */
export async function startVendure(
  settings: VendureSettings,
  { exact, startMs = 120_000 }: { exact: boolean; startMs?: number },
): Promise<RunningService> {
  const port = await freePort()
  const started = await run('serve.js', { ...settings, port, exact }, startMs, 'listening')
  return { origin: `http://127.0.0.1:${port}`, ...started }
}

/** Fields that a list of products shows of each. */
const ITEM = `productId slug productName sku description inStock currencyCode
  priceWithTax { ... on SinglePrice { value } }`
const FACETS = 'facetValues { count facetValue { id name facet { id name } } }'

/** A search as its shop sends it: ten variants, since each product has one. */
export function searchWire(
  term: string,
  { take, facets }: { take: number; facets: boolean },
): Wire {
  const query = `query Search($input: SearchInput!) {
  search(input: $input) { totalItems items { ${ITEM} } ${facets ? FACETS : ''} }
}`
  const body = JSON.stringify({ query, variables: { input: { term, take } } })
  return {
    method: 'POST',
    path: '/shop-api',
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(body),
  }
}

const SUCCEEDED = Buffer.from('{"data":')

/** GraphQL answers errors with status 200; here they get another status. */
export function connectVendure(origin: string, connections: number): Target {
  const target = connect(origin, { connections })
  const send = async (wire: Wire): Promise<Reply> => {
    const reply = await target.send(wire)
    const succeeded = reply.body.subarray(0, SUCCEEDED.length).equals(SUCCEEDED)
    return succeeded ? reply : { ...reply, status: reply.status === 200 ? 500 : reply.status }
  }
  return { send, close: () => target.close() }
}

interface Answer {
  readonly data: {
    readonly search: {
      readonly totalItems: number
      readonly items: readonly { readonly slug: string }[]
    }
  }
}

/** Slugs in Vendure are the ids of the catalog. */
export const vendureSearcher =
  (target: Target): Searcher =>
  async (keywords, { size = 10 } = {}) => {
    const wire = searchWire(keywords, { take: size, facets: false })
    const { data } = jsonOf<Answer>(await target.send(wire), 'search of Vendure')
    const { items, totalItems } = data.search
    return { ids: items.map(({ slug }) => slug), total: totalItems }
  }
