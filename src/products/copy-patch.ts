import { hash } from 'node:crypto'
import type { ProductPatch } from './patch.ts'
import type { ChangeEntry, Product } from './product.ts'

/** The catalog data and offers of a product, as a patch that makes another product equal. */
export function copyPatch(product: Product): ProductPatch {
  const { id, catalog, updatedBy, lastUpdated, version, ...patch } = product
  const { groupId = null, options = {}, hidden = null } = patch
  return { ...patch, groupId, options, hidden }
}

const FIRST = 24

/**
 * The log entry at the source of a copy, derived from the target's entry so that both are stored
 * together. Undefined when the entry is not a copy or the source's log is not written.
 */
export function copySourceEntry(entry: ChangeEntry): ChangeEntry | undefined {
  const { copiedFrom } = entry
  if (!copiedFrom || copiedFrom.version === null) return undefined
  return {
    // Keeps the first half of the id, which has the time, so that the entry is in the same month.
    id: entry.id.slice(0, FIRST) + hash('sha256', entry.id).slice(FIRST, FIRST + 12),
    catalog: copiedFrom.catalog,
    productId: entry.productId,
    version: copiedFrom.version,
    updatedBy: entry.updatedBy,
    source: 'copy',
    timestamp: entry.timestamp,
    copiedTo: entry.catalog,
    changes: [],
  }
}
