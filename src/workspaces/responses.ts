import type { z } from 'zod'
import { emptyProduct } from '../products/next-document.ts'
import { toProduct10 } from '../products/responses.ts'
import { viewProduct } from '../products/view.ts'
import type { ItemWithProduct, WorkspaceView } from './listing.ts'
import type { Workspace, WorkspaceItem } from './schemas.ts'
import type { StoredItem } from './workspace.ts'

type ShownItem = z.infer<typeof WorkspaceItem>

/** A workspace as the interface shows it. */
export const toWorkspace = ({
  id,
  name,
  totals,
  items,
}: WorkspaceView): z.infer<typeof Workspace> => ({
  id,
  name,
  active: true,
  products: items.map((seen) => toItem(name, seen)),
  totals,
})

const toItem = (workspace: string, { item, product }: ItemWithProduct): ShownItem => ({
  id: item.id,
  username: item.username,
  productId: item.productId,
  catalog: item.catalog,
  workspace,
  // The view's lists are read-only, the schema's type is not; what is sent is the same.
  product: (product ? toProduct10(product) : goneProduct(item)) as ShownItem['product'],
  details: { quantity: item.quantity, price: item.price },
  added: item.added,
  deleted: product === null,
})

/** What is left of a deleted product, in the shape of one. */
function goneProduct({ productId, catalog, snapshot, added }: StoredItem) {
  const { vendor, vendorPartNumber, ...named } = snapshot
  const empty = emptyProduct({ id: productId, catalog, actor: '', now: new Date(added) })
  const viewer = { organization: '', username: '', keyType: 'full' } as const
  return toProduct10(viewProduct({ product: { ...empty, ...named, updatedBy: null } }, viewer))
}
