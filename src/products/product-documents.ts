import { writeToCurrentIndex } from '../catalogs/index-location.ts'
import {
  type CatalogPlace,
  type CatalogScope,
  type ProductPlace,
  productPlaceOf,
} from '../catalogs/store.ts'
import { none, term } from '../elastic/clauses.ts'
import { type Collection, collection } from '../elastic/collection.ts'
import type { Query } from '../elastic/search.ts'
import type { Language } from '../languages/language.ts'
import { usedPictures } from './pictures.ts'
import { type Lookups, placedProducts } from './placed-products.ts'
import type { ProductDocument } from './product.ts'
import { currentDigest } from './row-digest.ts'
import { type SearchFields, searchFields } from './search-fields.ts'
import { visibleProducts } from './visible.ts'

/** A document as written. Reads never include `search`. */
export interface StoredProduct extends ProductDocument {
  readonly search?: SearchFields
  /** The language that `search` is written in; absent for English. */
  readonly language?: Language
  /** Beside `search`, so that products which were stored before need not be written anew. */
  readonly hidden?: true
}

/** A catalog as its products are written. */
export type WrittenCatalog = CatalogPlace & Pick<CatalogScope, 'language'>

type ScopeBounds = Pick<CatalogScope, 'bounds' | 'priceField'>

/** The products of one catalog that the caller who opened it may see. */
export const productsOf = (
  services: Lookups,
  scope: ProductPlace & ScopeBounds,
): Collection<StoredProduct> => opened(services, scope, scope.bounds ? SHOWN : undefined)

/** Of these what searches are to find: what is not hidden or, for who manages them, what is. */
export const foundProductsOf = (
  services: Lookups,
  scope: ProductPlace & ScopeBounds,
  { hidden = false }: { readonly hidden?: boolean | undefined } = {},
): Collection<StoredProduct> => opened(services, scope, hidden && !scope.bounds ? HIDDEN : SHOWN)

/**
 * Reads and writes products in their current index, for a few seconds. Throws Unavailable if they
 * moved meanwhile: some of the work may have been done, or none.
 */
export const inOnePlace = <A>(
  services: Lookups,
  scope: ProductPlace,
  work: (products: Collection<StoredProduct>) => Promise<A>,
): Promise<A> =>
  writeToCurrentIndex(services, scope, ({ index }) =>
    work(collection(services.elastic, productPlaceOf({ ...scope, index }))),
  )

function opened(services: Lookups, scope: ProductPlace & ScopeBounds, found: Query | undefined) {
  const visible = visibleProducts(scope)
  return placedProducts<StoredProduct>(services, scope, (index) =>
    collection<StoredProduct>(services.elastic, {
      ...productPlaceOf({ ...scope, index }),
      ...{ visible, found },
    }),
  )
}

const HIDDEN = term('hidden', true)
const SHOWN = none([HIDDEN])!

const scopeTextOf = ({ owner, name }: CatalogPlace): string => [owner, name].join('/')

/** A picture that an address gave which is gone is shown by nothing any more. */
function picturesOf(document: ProductDocument): Pick<ProductDocument, 'pictures'> {
  const pictures = usedPictures(document)
  return pictures ? { pictures } : {}
}

function digestOf(document: ProductDocument): Pick<ProductDocument, 'rowDigest'> {
  const rowDigest = currentDigest(document)
  return rowDigest === undefined ? {} : { rowDigest }
}

/** Adds the derived search fields to a document. Every write stores this form. */
export const withSearch = (scope: WrittenCatalog, document: ProductDocument): StoredProduct => ({
  product: document.product,
  annotations: document.annotations,
  pending: document.pending,
  ...(document.imported ? { imported: document.imported } : {}),
  ...digestOf(document),
  ...(document.listPrices ? { listPrices: document.listPrices } : {}),
  ...picturesOf(document),
  ...(document.offerWrites ? { offerWrites: document.offerWrites } : {}),
  ...(scope.language === 'en' ? {} : { language: scope.language }),
  ...(document.product.hidden ? { hidden: true } : {}),
  search: searchFields(document, scopeTextOf(scope), scope.language),
})

/**
 * The JSON to index for a product in a `_bulk` request, scope included: what is before its log
 * entries, these, and what is behind. With SETTLED in the middle it is the product as it is once the
 * log has its entries.
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
