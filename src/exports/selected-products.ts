import type { ProductNames } from '../formats/file-writer.ts'
import type { Context } from '../operation.ts'
import { readCatalogProducts } from '../products/references.ts'
import { viewerOf, viewProduct } from '../products/view.ts'
import {
  beginScan,
  type PagePosition,
  type ProductPage,
  readScanPage,
  type ScanStart,
} from './catalog-scan.ts'
import type { Selection } from './job.ts'
import { namesInCatalog, namesOf } from './product-names.ts'

const AT_ONCE = 100

/** How many products an export will meet. Throws NotFound when the catalog is gone. */
export async function beginExport(ctx: Context, selection: Selection): Promise<ScanStart> {
  const { products } = selection
  return products ? { total: products.length, mode: 'strict' } : beginScan(ctx, selection)
}

/** One page of products as the caller sees them. Throws NotFound when the catalog is gone. */
export async function readPage(
  ctx: Context,
  selection: Selection,
  position: PagePosition,
): Promise<ProductPage> {
  const { products } = selection
  if (!products) return readScanPage(ctx, selection, position)
  const until = position.exported + position.size
  const wanted = products.slice(position.exported, until)
  const documents = await readCatalogProducts(
    ctx,
    wanted.map(({ catalog, id }) => ({ catalog, productId: id })),
  )
  const viewer = viewerOf(ctx)
  return {
    products: documents.flatMap((document) => (document ? [viewProduct(document, viewer)] : [])),
    seen: wanted.length,
    last: until >= products.length,
  }
}

/** The names of values that the products have besides their fixed fields. */
export async function namesFor(ctx: Context, selection: Selection): Promise<ProductNames> {
  if (!selection.products) return namesInCatalog(ctx, selection.catalog)
  const all: Parameters<typeof namesOf>[0][number][] = []
  for (let exported = 0, last = false; !last; exported += AT_ONCE) {
    const position = { exported, after: null, mode: 'strict', size: AT_ONCE } as const
    const page = await readPage(ctx, selection, position)
    for (const { facets, filters } of page.products) all.push({ facets, filters, attributes: {} })
    last = page.last
  }
  return namesOf(all)
}
