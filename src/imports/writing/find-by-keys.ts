import type { CatalogScope } from '../../catalogs/store.ts'
import { pagesWithinBytes } from '../../elastic/byte-limited-search.ts'
import { anyOf } from '../../elastic/clauses.ts'
import type { Context } from '../../operation.ts'
import { inSteps } from '../../platform/in-steps.ts'
import { slicesOf } from '../../platform/slices.ts'
import { productsOf } from '../../products/product-documents.ts'
import { createKeyMatches, type IndexedProduct, type ProductMatch } from './key-matches.ts'
import type { KeyKind, RowKey } from './row-keys.ts'

const NUMBERS = 1_000
const PRODUCTS = 50_000
const PAGE = 250
const SEARCH_MS = 30_000

/** The fields that have the keys of each kind. */
const FIELDS: Readonly<Record<KeyKind, readonly string[]>> = {
  part: ['manufacturer', 'manufacturerPartNumber'],
  vendorPart: ['vendors.vendorName', 'vendors.vendorPartNumber'],
  upc: ['upcs'],
}

interface KeySearch {
  readonly scope: CatalogScope
  readonly spell: (name: string) => string
  /** Called after each page. */
  readonly pause?: (() => Promise<void>) | undefined
}

/**
 * Finds products of a catalog by keys, in the order of their ids, until each key has SHARING. The
 * index ignores case and punctuation of numbers, so keys are compared here, with manufacturers
 * spelled as in the rows. Limited to the first 50,000 products with one of 1,000 numbers.
 */
export async function findByKeys(
  ctx: Context,
  { scope, spell, pause }: KeySearch,
  wanted: readonly RowKey[],
): Promise<ProductMatch[]> {
  const numbers = [...new Set(wanted.map(({ number }) => number))]
  // Keys of other kinds match nothing, and a product may have thousands of offers.
  const kinds = [...new Set(wanted.map(({ kind }) => kind))]
  const fields = ['id', ...kinds.flatMap((kind) => FIELDS[kind])]
  const matches = createKeyMatches(wanted, spell)
  for (const slice of slicesOf(numbers, NUMBERS)) {
    for await (const products of withNumbers(ctx, scope, { numbers: slice, fields })) {
      await inSteps(matches.add(products))
      if (matches.isComplete()) return matches.found
      await pause?.()
    }
  }
  return matches.found
}

async function* withNumbers(
  ctx: Context,
  scope: CatalogScope,
  { numbers, fields }: { readonly numbers: readonly string[]; readonly fields: readonly string[] },
): AsyncGenerator<IndexedProduct[]> {
  const pages = pagesWithinBytes(
    productsOf(ctx, scope),
    {
      query: anyOf('search.partNumbers', numbers)!,
      size: PRODUCTS,
      _source: fields.map((name) => `product.${name}`),
      sort: [{ 'search.id': 'asc' }],
    },
    { timeoutMs: SEARCH_MS, signal: ctx.signal, most: Infinity, largest: PAGE },
  )
  for await (const documents of pages) {
    yield documents.map(({ product }) => {
      // Fields that were not read, and those without a value, are absent.
      const read: Partial<IndexedProduct> & { readonly id: string } = product
      return {
        id: read.id,
        manufacturer: read.manufacturer ?? null,
        manufacturerPartNumber: read.manufacturerPartNumber ?? null,
        upcs: read.upcs ?? [],
        vendors: read.vendors ?? [],
      }
    })
  }
}
