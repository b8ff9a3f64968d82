import { catalogsOf } from '../src/catalogs/store.ts'
import { bulk } from '../src/elastic/bulk.ts'
import type { Elastic } from '../src/elastic/client.ts'
import { collection } from '../src/elastic/collection.ts'
import { type Key, newKey } from '../src/keys/key.ts'
import { newSecret } from '../src/keys/key-text.ts'
import type { Services } from '../src/operation.ts'
import { newOrganization } from '../src/organizations/edit.ts'
import { NewOrganization } from '../src/organizations/schemas.ts'
import { organizationsOf } from '../src/organizations/store.ts'
import { indexedPieces, productsOf } from '../src/products/product-documents.ts'
import { productOf } from '../test/support/catalog.ts'
import { productAt } from './catalog/product.ts'
import { CATALOG } from './organization.ts'

/** An organization with a catalog, and a key of its administrator. */
export interface SeededOrganization {
  readonly id: string
  readonly key: string
}

const AT_ONCE = 10
const USERNAME = 'bench'

/** Stores organizations with one catalog of `products` products each, past the service. */
export async function seedOrganizations(
  elastic: Elastic,
  { organizations, products }: { organizations: number; products: number },
): Promise<SeededOrganization[]> {
  const seeded: SeededOrganization[] = []
  for (let first = 0; first < organizations; first += AT_ONCE) {
    const count = Math.min(AT_ONCE, organizations - first)
    const some = Array.from({ length: count }, (_, n) => documentsOf(elastic, first + n, products))
    const results = await bulk(
      elastic,
      some.flatMap(({ items }) => items),
    )
    const failed = results.find(({ status }) => status !== 201)
    if (failed) throw new Error(JSON.stringify(failed))
    seeded.push(...some.map(({ id, key }) => ({ id, key })))
  }
  await elastic.client.indices.refresh({ index: elastic.indexName('*') })
  return seeded
}

function documentsOf(elastic: Elastic, number: number, products: number) {
  const now = new Date()
  const id = `bench-${String(number).padStart(6, '0')}`
  const users = [{ username: USERNAME, role: 'administrator' }]
  const organization = newOrganization(NewOrganization.parse({ id, name: id, users }), id, now)
  const key = newSecret('full')
  const stored = newKey(key, now, {
    name: 'bench',
    keyType: 'full',
    username: USERNAME,
    reach: 'organization',
    organization: id,
    membership: organization.users[0]!.membership,
    origins: null,
    cache: null,
    expires: null,
  })
  const catalog = {
    owner: id,
    name: CATALOG,
    description: null,
    active: true,
    checkRealtime: false,
    created: now.toISOString(),
    deleted: null,
  }
  const services = { elastic } as Services
  const items = [
    organizationsOf(services).bulkItem(id, organization),
    collection<Key>(elastic, { kind: 'keys', scope: [] }).bulkItem(stored.hash, stored),
    catalogsOf(services, id).bulkItem(CATALOG, catalog),
    ...Array.from({ length: products }, (_, n) =>
      productItem(elastic, id, productAt(number * products + n)),
    ),
  ]
  return { id, key, items }
}

function productItem(elastic: Elastic, owner: string, made: ReturnType<typeof productAt>) {
  const scope = { owner, name: CATALOG, language: 'en' } as const
  const { place, documentId } = productsOf({ elastic }, scope)
  const target = {
    _index: elastic.indexName(place.kind),
    _id: documentId(made.id),
    routing: place.routing,
  }
  const vendors = made.vendors.map((offer) => ({ name: null, ...offer }))
  const product = productOf({ ...made, vendors }, CATALOG)
  const document = indexedPieces(scope, { product, annotations: {}, pending: [] }).join('')
  return { action: JSON.stringify({ create: target }), document }
}
