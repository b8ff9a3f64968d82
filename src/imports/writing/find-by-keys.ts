import type { CatalogScope } from '../../catalogs/store.ts'
import { anyOf } from '../../elastic/clauses.ts'
import { searchPages } from '../../elastic/scan.ts'
import type { Context } from '../../operation.ts'
import { inSteps } from '../../platform/in-steps.ts'
import { slicesOf } from '../../platform/slices.ts'
import type { Steps } from '../../platform/steps.ts'
import { productsOf } from '../../products/product-documents.ts'
import { type KeyedProduct, keysOfProduct, type RowKey } from './row-keys.ts'

/** A product with one of the wanted keys. */
export interface ProductMatch {
  readonly id: string
  /** Its keys among the wanted ones. */
  readonly keys: readonly RowKey[]
}

const NUMBERS = 1_000
const PAGE = 500
const PAGES = 100
const SEARCH_MS = 30_000

const SOURCE = ['id', 'manufacturer', 'manufacturerPartNumber', 'upcs']
  .concat(['vendors.vendorName', 'vendors.vendorPartNumber'])
  .map((name) => `product.${name}`)

/**
 * Finds products of a catalog by keys. The index ignores case and punctuation of numbers, so keys
 * are compared here, with manufacturers spelled as in the rows. Limited to the first 50,000
 * products with one of 1,000 numbers.
 */
export async function findByKeys(
  ctx: Context,
  { scope, spell }: { readonly scope: CatalogScope; readonly spell: (name: string) => string },
  wanted: readonly RowKey[],
): Promise<ProductMatch[]> {
  const texts = new Set(wanted.map(({ text }) => text))
  const numbers = [...new Set(wanted.map(({ number }) => number))]
  const found: ProductMatch[] = []
  function* match(products: readonly IndexedProduct[]): Steps<void> {
    for (const product of products) {
      const manufacturer = product.manufacturer && spell(product.manufacturer)
      const keys = keysOfProduct({ ...product, manufacturer }).filter(({ text }) => texts.has(text))
      if (keys.length > 0) found.push({ id: product.id, keys })
      yield
    }
  }
  for (const slice of slicesOf(numbers, NUMBERS)) {
    for await (const products of withNumbers(ctx, scope, slice)) await inSteps(match(products))
  }
  return found
}

type IndexedProduct = KeyedProduct & { readonly id: string }

async function* withNumbers(
  ctx: Context,
  scope: CatalogScope,
  numbers: readonly string[],
): AsyncGenerator<IndexedProduct[]> {
  // In portions, since products may have thousands of offers.
  const call = { timeoutMs: SEARCH_MS, signal: ctx.signal, most: Infinity }
  const pages = searchPages((body) => productsOf(ctx, scope).search(body, call), {
    query: anyOf('search.partNumbers', numbers)!,
    size: PAGE,
    _source: SOURCE,
    sort: [{ 'search.id': 'asc' }],
  })
  let read = 0
  for await (const hits of pages) {
    yield hits.map(({ _source }) => {
      const { product } = _source as unknown as {
        product: Partial<IndexedProduct> & { id: string }
      }
      return {
        id: product.id,
        manufacturer: product.manufacturer ?? null,
        manufacturerPartNumber: product.manufacturerPartNumber ?? null,
        upcs: product.upcs ?? [],
        vendors: product.vendors ?? [],
      }
    })
    if (++read === PAGES) return
  }
}
