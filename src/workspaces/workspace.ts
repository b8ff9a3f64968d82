/** A workspace, stored under its name, so that a name is taken once. */
export interface WorkspaceDocument {
  readonly kind: 'workspace'
  /** New each time the name is used, so that nothing of a deleted one comes back. */
  readonly id: string
  readonly name: string
  readonly active: boolean
  /** The punchout session that it belongs to; null for an ordinary one. */
  readonly session: string | null
  readonly username: string
  readonly deleted: string | null
  /** Ids of deleted workspaces of this name whose items are still to be removed. */
  readonly gone: readonly string[]
  readonly changed: string
}

/** What is left to show of a product that was deleted, and what an order names it by. */
export interface Snapshot {
  readonly name: string | null
  readonly manufacturer: string | null
  readonly manufacturerPartNumber: string | null
  readonly image: string | null
  readonly unspsc: string | null
  /** The offer whose cost was the product's price. */
  readonly vendor: string | null
  readonly vendorPartNumber: string | null
}

/** One product of a workspace. */
export interface Line {
  readonly id: string
  readonly workspace: string
  readonly username: string
  readonly catalog: string
  readonly productId: string
  readonly quantity: number
  /** At the time of adding; null for a product without a price. */
  readonly price: number | null
  readonly snapshot: Snapshot
  readonly added: string
  /** Among those that one request added. */
  readonly position: number
}

/** A line as it is stored, with what makes a batch all or none. */
export interface ItemDocument extends Line {
  readonly kind: 'item'
  /** Quantity by price, for sums. */
  readonly amount: number
  /** The batch that wrote it, until that is settled. */
  readonly batch: string | null
  /** The line before the batch; null when there was none. */
  readonly before: Line | null
  readonly since: string | null
}

/** Decides a batch for good: whoever creates it first, the batch itself or who finds it late. */
export interface VerdictDocument {
  readonly kind: 'verdict'
  readonly id: string
  readonly workspace: string
  readonly verdict: 'kept' | 'dropped'
  readonly since: string
}

/** The value of one field of an extension. */
export interface FieldDocument {
  readonly kind: 'field'
  readonly workspace: string
  readonly extension: string
  readonly field: string
  readonly value: string
}

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Ids of workspaces have this form, and names may not. */
export const isWorkspaceId = (text: string): boolean => ID.test(text)
