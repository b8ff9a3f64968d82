import type { ExtensionField } from '../products/product.ts'
import { sortedFields, withItems } from './changes.ts'
import type { StoredItem, WorkspaceDocument } from './workspace.ts'

// In version 1 of the index each item and each field was a document of its own.

interface OldWorkspace {
  readonly kind: 'workspace'
  readonly id: string
  readonly name: string
  readonly session: string | null
  readonly username: string
  readonly deleted: string | null
}

interface OldItem extends StoredItem {
  /** Position among the items that one request added. */
  readonly position: number
}

/** Items that were added together had a batch, and counted once it had a verdict. */
interface OldItemDocument extends OldItem {
  readonly kind: 'item'
  readonly batch: string | null
  /** The item before the batch. */
  readonly before: OldItem | null
}

interface OldVerdict {
  readonly kind: 'verdict'
  /** Id of the batch. */
  readonly id: string
  readonly verdict: 'kept' | 'dropped'
}

interface OldField {
  readonly kind: 'field'
  readonly extension: string
  readonly field: string
  readonly value: string
}

export type OldDocument = OldWorkspace | OldItemDocument | OldVerdict | OldField

/** A workspace of version 1 with what its other documents held; undefined for one that was deleted. */
export function mergedWorkspace(
  { id, name, session, username, deleted }: OldWorkspace,
  contents: readonly OldDocument[],
): WorkspaceDocument | undefined {
  if (deleted !== null) return undefined
  const kept = new Set(
    contents.flatMap((one) => (one.kind === 'verdict' && one.verdict === 'kept' ? [one.id] : [])),
  )
  const items = contents.flatMap((one) => {
    if (one.kind !== 'item') return []
    return one.batch === null || kept.has(one.batch) ? [one] : one.before ? [one.before] : []
  })
  const fields = contents.flatMap((one): ExtensionField[] =>
    one.kind === 'field' ? [{ extensionId: one.extension, key: one.field, value: one.value }] : [],
  )
  return withItems(
    { id, name, session, username, fields: sortedFields(fields) },
    items.toSorted(byAddition).map(storedItem),
  )
}

const byAddition = (a: OldItem, b: OldItem): number =>
  Date.parse(a.added) - Date.parse(b.added) || a.position - b.position

const storedItem = ({ id, username, catalog, productId, ...item }: OldItem): StoredItem => {
  const { quantity, price, snapshot, added } = item
  return { id, username, catalog, productId, quantity, price, snapshot, added }
}
