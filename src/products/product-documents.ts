import { type CatalogScope, productPlaceOf } from '../catalogs/store.ts'
import { type Collection, collection } from '../elastic/collection.ts'
import type { Language } from '../languages/language.ts'
import type { Services } from '../operation.ts'
import type { ProductDocument } from './product.ts'
import { type SearchFields, searchFields } from './search-fields.ts'
import { visibleProducts } from './visible.ts'

/** A document as written. Reads never include `search`. */
export interface StoredProduct extends ProductDocument {
  readonly search?: SearchFields
  /** The language that `search` is written in; absent for English. */
  readonly language?: Language
}

type CatalogPlace = Pick<CatalogScope, 'owner' | 'name'>
/** A catalog as its products are written. */
export type WrittenCatalog = CatalogPlace & Pick<CatalogScope, 'language'>

/** The products of one catalog that are there for who opened it. */
export const productsOf = (
  { elastic }: Pick<Services, 'elastic'>,
  scope: CatalogPlace & Pick<CatalogScope, 'bounds' | 'priceField'>,
): Collection<StoredProduct> =>
  collection<StoredProduct>(elastic, {
    ...productPlaceOf(scope),
    visible: visibleProducts(scope),
  })

const scopeTextOf = (scope: CatalogPlace): string => productPlaceOf(scope).scope.join('/')

/** Adds the derived search fields to a document. Every write stores this form. */
export const withSearch = (scope: WrittenCatalog, document: ProductDocument): StoredProduct => ({
  product: document.product,
  annotations: document.annotations,
  pending: document.pending,
  ...(document.imported ? { imported: document.imported } : {}),
  ...(document.listPrices ? { listPrices: document.listPrices } : {}),
  ...(scope.language === 'en' ? {} : { language: scope.language }),
  search: searchFields(document, scopeTextOf(scope), scope.language),
})

/** The JSON to index for a product in a `_bulk` request, scope included. */
export const indexedDocument = (scope: WrittenCatalog, document: ProductDocument) => ({
  scope: scopeTextOf(scope),
  ...withSearch(scope, document),
})
