import type { z } from 'zod'
import { toProduct10 } from '../products/responses.ts'
import type { WorkspaceView } from './listing.ts'
import type { ItemWithProduct } from './reading.ts'
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
const goneProduct = ({
  productId,
  catalog,
  snapshot,
  added,
}: StoredItem): ShownItem['product'] => ({
  id: productId,
  description: null,
  manufacturer: snapshot.manufacturer,
  manufacturerPartNumber: snapshot.manufacturerPartNumber,
  name: snapshot.name,
  image: snapshot.image,
  catalog,
  unspsc: snapshot.unspsc,
  segment: null,
  category: null,
  subCategory: null,
  updatedBy: null,
  msrp: null,
  lastUpdated: added,
  images: [],
  vendors: [],
  attributes: {},
  filters: {},
  facets: {},
  links: [],
  notes: [],
  extensionFields: [],
  favorite: { company: false, user: false },
})
