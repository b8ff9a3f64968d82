import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Contestant } from '../blocks.ts'
import { CATALOG, type Organization, openOrganization } from '../organization.ts'
import { aisleSearcher, type Searcher } from '../relevance/searchers.ts'
import { startService } from '../service.ts'
import type { Session } from '../session.ts'
import { settle } from '../stage.ts'
import { type PeerCatalog, vendureProduct } from './catalog.ts'
import type { PeerOptions } from './options.ts'
import {
  connectVendure,
  fillVendure,
  installVendure,
  searchWire,
  startVendure,
  type VendureSettings,
  vendureSearcher,
} from './vendure.ts'

type PeerSession = Session<PeerOptions>

/** The two kinds of search that are compared: a shop's page with facets, and a list only. */
export const KINDS = ['facets', 'list'] as const
export type Kind = (typeof KINDS)[number]

/** A running service, and how to search it. */
export interface Peer extends Omit<Contestant, 'actions'> {
  readonly name: string
  readonly pid: number
  readonly wire: (keywords: string, kind: Kind) => Contestant['actions'][number][number]
  /** Searcher for rating its order; absent if another peer orders in the same way. */
  readonly search?: Searcher
  /** How many times faster than this peer Aisle should be. */
  readonly aims?: Readonly<Record<Kind, number>>
}

export interface PeerStage {
  readonly peers: readonly Peer[]
  /** Bytes on disk of Aisle's products, and of Vendure's. */
  readonly disk: { readonly aisle: number; readonly vendure: number }
  /** Merges each index into one segment. */
  merge(): Promise<void>
  close(): Promise<void>
}

const AISLE = 'aisle'
const VENDURE = 'vendure'
const HITS = 10

/** Starts both shops with the same products, each loaded by its own import. */
export async function openPeers(session: PeerSession, catalog: PeerCatalog): Promise<PeerStage> {
  await installVendure(session.say)
  const aisle = await openAisle(session, catalog)
  const vendure = await openVendure(session, catalog)
  return {
    peers: [...aisle.peers, ...vendure.peers],
    disk: {
      aisle: await bytesOf(session, AISLE, 'products'),
      vendure: await bytesOf(session, VENDURE, 'variants'),
    },
    async merge() {
      await mergeIndex(session, AISLE, 'products')
      await mergeIndex(session, VENDURE, 'variants')
    },
    async close() {
      await vendure.close()
      await aisle.close()
    },
  }
}

/** The fields of a product that a list shows, and the number of facets that a shopper reads. */
const SHOWN = { fields: ['name', 'manufacturerPartNumber', 'description', 'price', 'inStock'] }
const FACETS = { facets: { most: 10, lists: true } }

async function openAisle(session: PeerSession, catalog: PeerCatalog) {
  const service = await startService(session.serviceOptions(AISLE))
  const organization = await openOrganization(service.origin, 'bench')
  const file = session.path('aisle.jsonl')
  await writeLines(file, catalog.products)
  session.say(`importing ${catalog.products.length.toLocaleString('en')} products into Aisle`)
  const { seconds, created } = await organization.import(await organization.upload(file))
  // A few of the real products are rejected for a value that is too long.
  if (created < catalog.products.length * 0.999) throw new Error(`void: imported ${created}`)
  session.say(`imported in ${seconds.toFixed(1)} s`)
  const elastic = session.elastic(AISLE)
  await elastic.client.indices.putSettings({
    index: elastic.indexName('products'),
    settings: { 'requests.cache.enable': false },
  })
  await settle(elastic)
  const keeping = await startService({ ...session.serviceOptions(AISLE), keepsAnswers: true })
  const kept = await openOrganization(keeping.origin, 'bench', { exists: true })
  const wireOf =
    ({ wire }: Organization, asked: { readonly whole?: boolean } = {}): Peer['wire'] =>
    (keywords, kind) => {
      const path = kind === 'facets' ? '/api/search' : '/api/search/simple'
      const shown = asked.whole ? {} : { ...SHOWN, ...(kind === 'facets' ? FACETS : {}) }
      return wire('POST', `${path}?catalog=${CATALOG}`, { keywords, pageSize: HITS, ...shown })
    }
  const { target } = organization
  const peers: Peer[] = [
    {
      name: 'Aisle',
      pid: service.pid,
      target,
      wire: wireOf(organization),
      search: aisleSearcher(organization, { typing: true }),
    },
    {
      name: 'Aisle, whole products and all facets',
      pid: service.pid,
      target,
      wire: wireOf(organization, { whole: true }),
    },
    { name: 'Aisle, answers kept', pid: keeping.pid, target: kept.target, wire: wireOf(kept) },
  ]
  return {
    peers,
    async close() {
      for (const one of [organization, kept]) await one.close()
      for (const one of [service, keeping]) await one.stop()
    },
  }
}

async function openVendure(session: PeerSession, catalog: PeerCatalog) {
  const { connections } = session.options
  const settings: VendureSettings = {
    database: session.path('vendure.sqlite'),
    elasticsearch: {
      node: session.node,
      ...(session.ca ? { tls: { ca: session.ca } } : {}),
    },
    indexPrefix: `${session.prefix(VENDURE)}-`,
    products: session.path('vendure.jsonl'),
  }
  await writeLines(settings.products, catalog.products.map(vendureProduct))
  session.say('filling Vendure')
  const begun = performance.now()
  await fillVendure(settings)
  session.say(`filled in ${((performance.now() - begun) / 1_000).toFixed(1)} s`)
  const elastic = session.elastic(VENDURE)
  await settle(elastic, 'variants')
  const { count } = await elastic.client.count({ index: elastic.indexName('variants') })
  if (count !== catalog.products.length) throw new Error(`void: Vendure indexed ${count}`)
  const variants = [
    { name: 'Vendure', exact: false, aims: { facets: 5, list: 5 } },
    { name: 'Vendure without fuzziness', exact: true, aims: { facets: 3, list: 1.2 } },
  ]
  const peers: Peer[] = []
  const stops: (() => Promise<void>)[] = []
  for (const { name, exact, aims } of variants) {
    const { origin, pid, stop } = await startVendure(settings, { exact })
    const target = connectVendure(origin, connections)
    stops.push(() => target.close(), stop)
    peers.push({
      name,
      pid,
      target,
      aims,
      wire: (keywords, kind) => searchWire(keywords, { take: HITS, facets: kind === 'facets' }),
      search: vendureSearcher(target),
    })
  }
  return {
    peers,
    async close() {
      for (const stop of stops) await stop()
    },
  }
}

async function writeLines(file: string, products: Iterable<unknown>): Promise<void> {
  const lines = function* () {
    for (const product of products) yield `${JSON.stringify(product)}\n`
  }
  await pipeline(Readable.from(lines()), createWriteStream(file))
}

const MERGE_MS = 300_000

async function mergeIndex(session: PeerSession, name: string, kind: string): Promise<void> {
  const { client, indexName } = session.elastic(name)
  const index = indexName(kind)
  const longer = { requestTimeout: MERGE_MS }
  await client.indices.forcemerge({ index, max_num_segments: 1 }, longer)
  await client.indices.refresh({ index })
}

async function bytesOf(session: PeerSession, name: string, kind: string): Promise<number> {
  const { client, indexName } = session.elastic(name)
  const { _all } = await client.indices.stats({ index: indexName(kind), metric: 'store' })
  return _all.total?.store?.size_in_bytes ?? 0
}
