import { NO_LISTS, withList } from '../src/catalogs/price-lists/price-list.ts'
import { listsOf } from '../src/catalogs/price-lists/store.ts'
import { catalogsOf, PRICE_LISTS } from '../src/catalogs/store.ts'
import { type BulkItem, bulk } from '../src/elastic/bulk.ts'
import type { Elastic } from '../src/elastic/client.ts'
import { collection } from '../src/elastic/collection.ts'
import { type Key, newKey } from '../src/keys/key.ts'
import { newSecret } from '../src/keys/key-text.ts'
import type { Services } from '../src/operation.ts'
import { newOrganization } from '../src/organizations/edit.ts'
import { NewOrganization } from '../src/organizations/schemas.ts'
import { organizationsOf } from '../src/organizations/store.ts'
import { withLines } from '../src/products/list-prices.ts'
import type { ProductDocument } from '../src/products/product.ts'
import { indexedPieces, productsOf } from '../src/products/product-documents.ts'
import { productOf } from '../test/support/catalog.ts'
import { productAt } from './catalog/product.ts'
import type { Wire } from './http.ts'
import { CATALOG } from './organization.ts'

/** A stored organization with a catalog, and the key of its administrator. */
export interface SeededOrganization {
  readonly id: string
  readonly key: string
}

/** The request of a search in an organization's catalog. */
export const searchWire = ({ id, key }: SeededOrganization, request: object): Wire => ({
  method: 'POST',
  path: `/api/search?catalog=${CATALOG}`,
  headers: {
    'x-api-version': '6.0',
    'x-organization': id,
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
  },
  body: Buffer.from(JSON.stringify(request)),
})

/** Documents per bulk request. */
const AT_ONCE = 500
const USERNAME = 'bench'

interface Seeding {
  readonly organizations: number
  /** Products per catalog, or per large catalog if `large` is given. */
  readonly products: number
  /**
   * How many organizations, from the first on, have large catalogs; the others have FEW products.
   * All if absent.
   */
  readonly large?: number
  /** Price lists per catalog, named `list-0` and so on, with a price for each product. */
  readonly priceLists?: number
}

/** Products of a catalog that is not large. */
export const FEW = 10

/** Stores organizations with one catalog each directly in Elasticsearch, without the service. */
export async function seedOrganizations(
  elastic: Elastic,
  { organizations, large = organizations, ...catalog }: Seeding,
): Promise<SeededOrganization[]> {
  const seeded: SeededOrganization[] = []
  let waiting: BulkItem[] = []
  const store = async () => {
    const results = await bulk(elastic, waiting)
    const failed = results.find(({ status }) => status !== 201)
    if (failed) throw new Error(JSON.stringify(failed))
    waiting = []
  }
  for (let number = 0; number < organizations; number++) {
    const own = number < large ? catalog : { ...catalog, products: FEW }
    const { id, key, items } = documentsOf(elastic, number, own)
    for (const item of items) {
      waiting.push(item)
      if (waiting.length === AT_ONCE) await store()
    }
    seeded.push({ id, key })
  }
  if (waiting.length > 0) await store()
  await elastic.client.indices.refresh({ index: elastic.indexName('*') })
  return seeded
}

function documentsOf(
  elastic: Elastic,
  number: number,
  { products, priceLists = 0 }: Omit<Seeding, 'organizations' | 'large'>,
) {
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
  const lists = listsNamed(priceLists, now)
  const items = function* () {
    yield organizationsOf(services).bulkItem(id, organization)
    yield collection<Key>(elastic, { kind: 'keys', scope: [] }).bulkItem(stored.hash, stored)
    yield catalogsOf(services, id).bulkItem(CATALOG, catalog)
    if (priceLists > 0) {
      const scope = { owner: id, name: CATALOG }
      yield listsOf(services, scope).bulkItem(PRICE_LISTS, lists)
    }
    for (let n = 0; n < products; n++) {
      yield productItem(elastic, id, priced(productAt(number * products + n), lists, now))
    }
  }
  return { id, key, items: items() }
}

const listsNamed = (count: number, now: Date) =>
  Array.from({ length: count }, (_, n) => n).reduce(
    (lists, n) =>
      withList(
        lists,
        { id: crypto.randomUUID(), name: `list-${n}`, now: now.toISOString() },
        { description: null, currency: 'EUR', organizations: null },
      ),
    NO_LISTS,
  )

/**
 * A product whose price in the first list is that of its cheapest offer, and 1 % lower in each
 * further list.
 */
function priced(
  made: ReturnType<typeof productAt>,
  { lists }: typeof NO_LISTS,
  now: Date,
): ProductDocument {
  const vendors = made.vendors.map((offer) => ({ name: null, ...offer }))
  const product = productOf({ ...made, vendors }, CATALOG)
  const cheapest = Math.min(...made.vendors.map(({ cost }) => cost))
  return lists.reduce<ProductDocument>(
    (document, { id, slot }, n) => {
      const price = Math.round(cheapest * (100 - n)) / 100
      const line = { price, quantityFrom: 1, validFrom: null, validTo: null }
      return withLines(document, { list: id, slot, at: now.toISOString() }, [line])
    },
    { product, annotations: {}, pending: [] },
  )
}

function productItem(elastic: Elastic, owner: string, document: ProductDocument): BulkItem {
  const scope = { owner, name: CATALOG, index: null, language: 'en' } as const
  const { place, documentId } = productsOf({ elastic }, scope)
  const target = {
    _index: elastic.indexName(place.kind),
    _id: documentId(document.product.id),
    routing: place.routing,
  }
  return {
    action: JSON.stringify({ create: target }),
    document: indexedPieces(scope, document).join(''),
  }
}
