import type { ExtensionField, Product } from '../products/product.ts'
import type { Totals } from './totals.ts'

/** A workspace with its items, stored under its name, which makes names unique. */
export interface WorkspaceDocument {
  /** Not reused with the name, so that nothing of a deleted workspace comes back. */
  readonly id: string
  readonly name: string
  /** The punchout session that it belongs to; null for an ordinary one. */
  readonly session: string | null
  readonly username: string
  /** In the order in which they were added. */
  readonly items: readonly StoredItem[]
  /** In order of extension and key. */
  readonly fields: readonly ExtensionField[]
  /** Totals of the items, for lists of workspaces. */
  readonly totals: Totals
  /** The items as `productKey` names them, to find workspaces that have a product. */
  readonly products: readonly string[]
}

/** What is shown of a product after its deletion, and what identifies it in an order. */
export interface Snapshot
  extends Pick<Product, 'name' | 'manufacturer' | 'manufacturerPartNumber' | 'image' | 'unspsc'> {
  /** The offer whose cost was the product's price. */
  readonly vendor: string | null
  readonly vendorPartNumber: string | null
}

/** One product of a workspace. */
export interface StoredItem {
  readonly id: string
  /** Who added it. */
  readonly username: string
  readonly catalog: string
  readonly productId: string
  /** When the product was created, which tells it from a later one with its id. */
  readonly productCreated?: string | undefined
  readonly quantity: number
  /** The price at the time of adding; null for a product without a price. */
  readonly price: number | null
  /** Whether a member set the price. Absent in items of older versions. */
  readonly isPriceSet?: boolean | undefined
  readonly snapshot: Snapshot
  readonly added: string
}

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Ids of workspaces have this form, and names may not. */
export const isWorkspaceId = (text: string): boolean => ID.test(text)
