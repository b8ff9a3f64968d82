import { removeDeletedCatalogs } from '../../src/catalogs/removal.ts'
import { catalogsOf } from '../../src/catalogs/store.ts'
import { bulk } from '../../src/elastic/bulk.ts'
import type { OwnIndex } from '../../src/elastic/own-index.ts'
import type { Language } from '../../src/languages/language.ts'
import { limits } from '../../src/limits.ts'
import {
  type Annotations,
  noAnnotations,
  type Offer,
  type Product,
} from '../../src/products/product.ts'
import { indexedPieces, productsOf } from '../../src/products/product-documents.ts'
import { expectOk, OPERATOR_KEY, type TestOrganization } from './client.ts'
import type { TestService } from './service.ts'

/** A product with only the fields that matter to a test; all others are empty. */
export interface Sketch extends Partial<Omit<Product, 'vendors'>> {
  readonly id: string
  readonly vendors?: readonly (Partial<Offer> & { vendorName: string })[]
  /** Annotations by the id of the organization that added them. */
  readonly annotations?: Readonly<Record<string, Partial<Annotations>>>
}

const emptyOffer = {
  vendorPartNumber: null,
  name: null,
  cost: null,
  onHand: null,
  inStock: false,
  status: null,
}

export function productOf({ annotations: _, ...sketch }: Sketch, catalog: string): Product {
  return {
    description: null,
    manufacturer: null,
    manufacturerPartNumber: null,
    name: null,
    image: null,
    unspsc: null,
    segment: null,
    category: null,
    subCategory: null,
    updatedBy: 'test',
    msrp: null,
    lastUpdated: '2026-01-01T00:00:00.000Z',
    images: [],
    attributes: {},
    filters: {},
    facets: {},
    links: [],
    upcs: [],
    version: 1,
    ...sketch,
    catalog,
    vendors: (sketch.vendors ?? []).map((offer) => ({ ...emptyOffer, ...offer })),
  }
}

/** Creates a catalog with these products, which are searchable when it returns. */
export async function seedCatalog(
  service: TestService,
  organization: TestOrganization,
  products: readonly Sketch[],
  name = `c-${crypto.randomUUID()}`,
  language?: Language,
): Promise<string> {
  const body = { name, description: '', active: true, checkRealtime: false, language }
  await expectOk(organization.call('POST /api/Catalog', { body }))
  await seedProducts(
    service,
    { owner: organization.id, name, ...(language && { language }) },
    products,
  )
  return name
}

/** Creates a catalog in its own index with this number of shards, as an operator does. */
export async function ownCatalog(
  { services }: TestService,
  { id, call }: TestOrganization,
  shards: number,
): Promise<{ owner: string; name: string; index: OwnIndex }> {
  const name = `own-${crypto.randomUUID()}`
  await expectOk(call('POST /api/Catalog', { key: OPERATOR_KEY, body: { name, shards } }))
  const stored = await catalogsOf(services, id).get(name)
  return { owner: id, name, index: stored!.source.ownIndex! }
}

/** Indexes products directly, since tests of searches need many of them at once. */
export async function seedProducts(
  { services }: Pick<TestService, 'services'>,
  catalog: { owner: string; name: string; language?: Language; index?: OwnIndex | null },
  products: readonly Sketch[],
): Promise<void> {
  const { elastic } = services
  const scope = { language: 'en', index: null, ...catalog } as const
  const { place, documentId } = productsOf(services, scope)
  const _index = elastic.indexName(place.kind)
  const items = products.map((sketch) => {
    const annotations = Object.fromEntries(
      Object.entries(sketch.annotations ?? {}).map(([id, added]) => [
        id,
        { ...noAnnotations, ...added },
      ]),
    )
    const document = { product: productOf(sketch, scope.name), annotations, pending: [] }
    return {
      action: JSON.stringify({
        index: { _index, _id: documentId(sketch.id), routing: place.routing },
      }),
      document: indexedPieces(scope, document).join(''),
    }
  })
  const results = await bulk(elastic, items, { refresh: true })
  const failed = results.find(({ status }) => status >= 300)
  if (failed) throw new Error(JSON.stringify(failed))
}

/** Removes a deleted catalog whose time has come. One call removes a slice of all such catalogs. */
export async function removeCatalog(
  { services }: TestService,
  organization: string,
  name: string,
): Promise<void> {
  const now = () => new Date(services.clock.now().getTime() + 2 * limits.catalogRemovalMs)
  while (await catalogsOf(services, organization).get(name))
    await removeDeletedCatalogs({ ...services, clock: { now } })
}
