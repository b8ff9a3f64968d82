import type { Elastic } from '../src/elastic/client.ts'
import { connect, type Target } from './http.ts'
import { type Organization, openOrganization } from './organization.ts'
import { type RunningService, startService } from './service.ts'
import type { Session } from './session.ts'

/** A running service with one organization, whose catalog has generated products. */
export interface Stage {
  readonly name: string
  readonly organizationId: string
  readonly service: RunningService
  readonly organization: Organization
  readonly elastic: Elastic
  /** Elasticsearch, called the way the service is called. */
  readonly direct: Target
  close(): Promise<void>
}

const ORGANIZATION = 'bench'

/** Starts a service under its own prefix and imports `products` products through it. */
export async function openStage(
  session: Session,
  { name, products }: { name: string; products: number },
): Promise<Stage> {
  const service = await startService(session.serviceOptions(name))
  const organization = await openOrganization(service.origin, ORGANIZATION)
  if (products > 0) {
    session.say(`importing ${products.toLocaleString('en')} products`)
    const { seconds, created } = await importProducts(session, organization, products)
    if (created !== products) throw new Error(`imported ${created} of ${products} products`)
    session.say(`imported in ${seconds.toFixed(1)} s`)
  }
  const elastic = session.elastic(name)
  await settle(elastic)
  const direct = connect(session.node, {
    connections: session.options.connections,
    ...(session.ca && { ca: session.ca }),
  })
  return {
    name,
    organizationId: ORGANIZATION,
    service,
    organization,
    elastic,
    direct,
    async close() {
      await organization.close()
      await direct.close()
      await service.stop()
    },
  }
}

/** Larger imports are split into packed files, since the files of an organization are limited. */
const FILE_PRODUCTS = 1_000_000

async function importProducts(session: Session, organization: Organization, products: number) {
  if (products <= FILE_PRODUCTS) {
    return organization.import(await organization.upload(await session.productFile(products)))
  }
  const all = { seconds: 0, created: 0 }
  for (let first = 0; first < products; first += FILE_PRODUCTS) {
    const count = Math.min(FILE_PRODUCTS, products - first)
    const url = await organization.upload(await session.packedFile(count, first))
    const { seconds, created } = await organization.import(url)
    all.seconds += seconds
    all.created += created
    session.say(`${all.created.toLocaleString('en')} in ${all.seconds.toFixed(0)} s`)
  }
  return all
}

/** Merging segments of several gigabytes takes minutes. */
const SETTLE_MS = 600_000

/** Waits until everything is searchable and no merge runs that would slow down one side only. */
export async function settle(elastic: Elastic, kind = 'products'): Promise<void> {
  const index = elastic.indexName(kind)
  const deadline = performance.now() + SETTLE_MS
  await elastic.client.indices.refresh({ index })
  while (performance.now() < deadline) {
    const { _all } = await elastic.client.indices.stats({ index, metric: 'merge' })
    if (!_all.total?.merges?.current) return
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
}
