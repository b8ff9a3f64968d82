import type { z } from 'zod'
import { toProduct10 } from '../products/revisions.ts'
import type { WorkspaceView } from './listing.ts'
import type { SeenLine } from './reading.ts'
import type { Workspace, WorkspaceItem } from './schemas.ts'
import type { Line } from './workspace.ts'

type Item = z.infer<typeof WorkspaceItem>

/** A workspace as the interface shows it. */
export const toWorkspace = ({
  workspace,
  totals,
  lines,
}: WorkspaceView): z.infer<typeof Workspace> => ({
  id: workspace.id,
  name: workspace.name,
  active: workspace.active,
  products: lines.map((seen) => toItem(workspace.name, seen)),
  totals,
})

const toItem = (workspace: string, { line, product }: SeenLine): Item => ({
  id: line.id,
  username: line.username,
  productId: line.productId,
  catalog: line.catalog,
  workspace,
  // The view's lists are read-only, the schema's type is not; what is sent is the same.
  product: (product ? toProduct10(product) : goneProduct(line)) as Item['product'],
  details: { quantity: line.quantity, price: line.price },
  added: line.added,
  deleted: product === null,
})

/** What is left of a deleted product, in the shape of one. */
const goneProduct = ({ productId, catalog, snapshot, added }: Line): Item['product'] => ({
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
