import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { StepName } from '../../src/search/understanding/understanding.ts'
import { type Organization, openOrganization } from '../organization.ts'
import { type RunningService, startService } from '../service.ts'
import type { Session } from '../session.ts'
import { settle } from '../stage.ts'
import type { RelevanceOptions } from './options.ts'
import { indexPlainly } from './plain.ts'
import { type CatalogName, type CatalogProduct, productsOf } from './products.ts'
import {
  acceptsTyping,
  aisleSearcher,
  plainSearcher,
  type Searcher,
  type Searchers,
} from './searchers.ts'
import { stepSearcher } from './steps.ts'

/** One catalog in the service, and the same products in the plain index. */
export interface Shelf {
  readonly name: CatalogName
  readonly products: ReadonlyMap<string, CatalogProduct>
  readonly organization: Organization
  readonly search: Searchers
  /** Whether the service accepts `typing`. */
  readonly typing: boolean
  /** Aisle without some steps of understanding. */
  readonly without: (steps: ReadonlySet<StepName>) => Searcher
}

export interface RelevanceStage {
  readonly shelves: readonly Shelf[]
  close(): Promise<void>
}

type RelevanceSession = Session<RelevanceOptions>

const SERVICE = 'service'
const PLAIN = 'plain'

/** Starts a service with the catalogs of the run, either loaded now or kept by an earlier run. */
export async function openRelevanceStage(session: RelevanceSession): Promise<RelevanceStage> {
  const { catalog, keep, reuse } = session.options
  const names: CatalogName[] = catalog === undefined ? ['demo'] : ['real', 'demo']
  if (reuse) for (const name of names) await refuseAbsent(session, name)
  else if (keep) for (const name of [SERVICE, PLAIN]) await session.drop(name)
  const service = await startService(session.serviceOptions(SERVICE))
  const shelves: Shelf[] = []
  for (const name of names) shelves.push(await openShelf(session, service, name))
  return {
    shelves,
    async close() {
      for (const { organization } of shelves) await organization.close()
      await service.stop()
    },
  }
}

const plainIndex = (session: RelevanceSession, name: CatalogName): string =>
  session.elastic(PLAIN).indexName(name)

/** The plain index is created last, so if it exists, everything does. */
async function refuseAbsent(session: RelevanceSession, name: CatalogName): Promise<void> {
  const index = plainIndex(session, name)
  if (await session.elastic(PLAIN).client.indices.exists({ index })) return
  throw new Error(`--reuse: no catalog ${name} is kept here; run once with --keep`)
}

async function openShelf(
  session: RelevanceSession,
  service: RunningService,
  name: CatalogName,
): Promise<Shelf> {
  const { options } = session
  const { catalog, reuse } = options
  const products = await productsOf(name, catalog)
  const organization = await openOrganization(service.origin, name, { exists: reuse })
  const elastic = session.elastic(PLAIN)
  const index = plainIndex(session, name)
  if (!reuse) {
    await importProducts(session, organization, { name, products })
    await indexPlainly(elastic, index, products)
  }
  const typing = await acceptsTyping(organization)
  const without: Shelf['without'] = (steps) => stepSearcher(session.elastic(SERVICE), name, steps)
  return {
    name,
    typing,
    products: new Map(products.map((product) => [product.id, product])),
    organization,
    without,
    search: {
      aisle:
        options.without.length > 0
          ? without(new Set(options.without))
          : aisleSearcher(organization, { typing }),
      plain: plainSearcher(elastic, index),
    },
  }
}

/** Products that a catalog may reject, for a value that is too long. */
const REJECTED = 5

async function importProducts(
  session: RelevanceSession,
  organization: Organization,
  { name, products }: { name: CatalogName; products: readonly CatalogProduct[] },
): Promise<void> {
  const file = session.path(`${name}.jsonl`)
  await pipeline(Readable.from(importLines(products)), createWriteStream(file))
  session.say(`importing ${products.length.toLocaleString('en')} products of ${name}`)
  const url = await organization.upload(file)
  const { seconds, created, rejected } = await organization.import(url)
  if (rejected > REJECTED) throw new Error(`void: imported ${created} of ${products.length}`)
  session.say(`imported in ${seconds.toFixed(1)} s`)
  await settle(session.elastic(SERVICE))
}

/** The pictures of demo products are paths, but an import requires addresses. */
function* importLines(products: readonly CatalogProduct[]): Generator<string> {
  for (const product of products) {
    const line = JSON.stringify(product)
    yield `${line.replaceAll('"/api/images/', '"http://localhost/api/images/')}\n`
  }
}
