import { writeToCurrentIndex } from '../catalogs/index-location.ts'
import {
  type CatalogPlace,
  type CatalogScope,
  type ProductPlace,
  productPlaceOf,
} from '../catalogs/store.ts'
import { none, term } from '../elastic/clauses.ts'
import { type Collection, collection, type Stored } from '../elastic/collection.ts'
import type { CallOptions } from '../elastic/place.ts'
import type { Query } from '../elastic/search.ts'
import type { Language } from '../languages/language.ts'
import type { Context } from '../operation.ts'
import { defined } from '../platform/defined.ts'
import { catalogTag, TAGGED_FIELDS } from './catalog-words.ts'
import { type Lookups, productsInCurrentIndex } from './current-index.ts'
import { usedPictures } from './pictures.ts'
import type { ProductDocument } from './product.ts'
import { missingProduct } from './requested-change.ts'
import { currentDigest } from './row-digest.ts'
import { type SearchFields, searchFields } from './search-fields.ts'
import { visibleProducts } from './visible.ts'

/** A document as it is written. Reads never include `search`. */
export interface StoredProduct extends ProductDocument {
  readonly search?: SearchFields
  /** The language of `search`; absent for English. */
  readonly language?: Language
  /** Outside `search`, so that older products do not have to be rewritten. */
  readonly hidden?: true
}

/** What has to be known of a catalog to write its products. */
export type WrittenCatalog = CatalogPlace & Pick<CatalogScope, 'language'>

type ScopeBounds = Pick<CatalogScope, 'bounds' | 'priceField'>

/** The products of one catalog that the caller who opened it may see. */
export const productsOf = (
  services: Lookups,
  scope: ProductPlace & ScopeBounds,
): Collection<StoredProduct> => opened(services, scope, scope.bounds ? SHOWN : undefined)

/**
 * A product with nothing but what is at these `_source` paths, among them all of `Members`. Throws
 * NotFound.
 */
export async function readPart<Members extends keyof StoredProduct = never>(
  ctx: Lookups & Pick<Context, 'signal'>,
  scope: ProductPlace & ScopeBounds,
  id: string,
  source: readonly string[],
): Promise<Partial<StoredProduct> & Pick<StoredProduct, Members>> {
  const found = await productsOf(ctx, scope).get(id, { source, signal: ctx.signal })
  if (!found) throw missingProduct()
  return found.source
}

/** The products that searches find: visible ones or, for unbound callers, hidden ones. */
export const foundProductsOf = (
  services: Lookups,
  scope: ProductPlace & ScopeBounds,
  { hidden = false }: { readonly hidden?: boolean | undefined } = {},
): Collection<StoredProduct> => opened(services, scope, hidden && !scope.bounds ? HIDDEN : SHOWN)

/**
 * Reads and writes products in their current index, for up to a few seconds. Throws Unavailable if
 * they were moved meanwhile, in which case the work may be partly done.
 */
export const inCurrentIndex = <A>(
  services: Lookups,
  scope: ProductPlace,
  work: (products: Collection<StoredProduct>) => Promise<A>,
): Promise<A> =>
  writeToCurrentIndex(services, scope, ({ index }) =>
    work(collection(services.elastic, taggedPlaceOf({ ...scope, index }))),
  )

/**
 * Reads a product as a write finds it: not in an index that a move is about to leave, where what a
 * late write stored is no longer copied. Throws Unavailable.
 */
export const readToWrite = (
  services: Lookups,
  scope: ProductPlace,
  id: string,
  options: CallOptions = {},
): Promise<Stored<StoredProduct> | undefined> =>
  inCurrentIndex(services, scope, (products) => products.get(id, options))

function opened(services: Lookups, scope: ProductPlace & ScopeBounds, found: Query | undefined) {
  const visible = visibleProducts(scope)
  return productsInCurrentIndex<StoredProduct>(services, scope, (index) =>
    collection<StoredProduct>(services.elastic, {
      ...taggedPlaceOf({ ...scope, index }),
      ...{ visible, found },
    }),
  )
}

const taggedPlaceOf = (scope: ProductPlace) => ({
  ...productPlaceOf(scope),
  tagged: { names: TAGGED_FIELDS, tag: catalogTag(scopeTextOf(scope)) },
})

const HIDDEN = term('hidden', true)
const SHOWN = none([HIDDEN])!

const scopeTextOf = ({ owner, name }: CatalogPlace): string => [owner, name].join('/')

/** Adds the derived search fields to a document. Every write stores this form. */
export const withSearch = (scope: WrittenCatalog, document: ProductDocument): StoredProduct => ({
  product: document.product,
  annotations: document.annotations,
  pending: document.pending,
  ...defined({
    imported: document.imported,
    rowDigest: currentDigest(document),
    listPrices: document.listPrices,
    pictures: usedPictures(document),
    offerWrites: document.offerWrites,
  }),
  ...(scope.language === 'en' ? {} : { language: scope.language }),
  ...(document.product.hidden ? { hidden: true } : {}),
  search: searchFields(document, scopeTextOf(scope), scope.language),
})

/**
 * The JSON to index a product in a `_bulk` request, scope included: the part before its log
 * entries, the entries, and the part after. With SETTLED in the middle, it is the product after its
 * entries have moved to the log.
 */
export function indexedPieces(
  scope: WrittenCatalog,
  document: ProductDocument,
): [head: string, middle: string, tail: string] {
  const { pending, search, ...rest } = withSearch(scope, { ...document, pending: [] })
  const head = JSON.stringify({ scope: scopeTextOf(scope), ...rest }).slice(0, -1)
  const tail = JSON.stringify({ search }).slice('{"search":{'.length)
  if (document.pending.length === 0) return [head, SETTLED, tail]
  const entries = JSON.stringify(document.pending)
  return [head, `,"pending":${entries},"search":{"pending":true,`, tail]
}

export const SETTLED = ',"pending":[],"search":{'
