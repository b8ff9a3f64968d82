import type { Context } from '../operation.ts'
import { readCatalogProducts } from '../products/references.ts'
import { type ProductView, viewerOf, viewProduct } from '../products/view.ts'
import type { StoredItem } from './workspace.ts'

/** An item with its product as the caller sees it now; null when it is gone. */
export interface ItemWithProduct {
  readonly item: StoredItem
  readonly product: ProductView | null
}

export async function withProducts(
  ctx: Context,
  items: readonly StoredItem[],
): Promise<ItemWithProduct[]> {
  const documents = await readCatalogProducts(ctx, items)
  const viewer = viewerOf(ctx)
  return items.map((item, index) => {
    const document = documents[index]
    return { item, product: document ? viewProduct(document, viewer) : null }
  })
}
