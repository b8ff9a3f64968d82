import { Invalid, NotFound } from '../errors.ts'
import { limits } from '../limits.ts'
import type { ExtensionField } from '../products/product.ts'
import { productKey } from '../products/product-key.ts'
import { type Addition, type ItemDetailsInput, itemId, withAddition, withDetails } from './items.ts'
import { totalsOf } from './totals.ts'
import type { StoredItem, WorkspaceDocument } from './workspace.ts'

// All changes are idempotent, so that a request whose answer was lost may be sent again.

/** A workspace without items. */
export const emptyWorkspace = (
  identity: Pick<WorkspaceDocument, 'id' | 'name' | 'session' | 'username'>,
): WorkspaceDocument => withItems({ ...identity, fields: [] }, [])

/** The workspace with these items and the fields derived from them. */
export const withItems = (
  workspace: Omit<WorkspaceDocument, 'items' | 'totals' | 'products'>,
  items: readonly StoredItem[],
): WorkspaceDocument => ({
  ...workspace,
  items,
  totals: totalsOf(items),
  products: items.map(productKey),
})

/**
 * The workspace with all products added; the same object when nothing changes. Throws Forbidden,
 * and Invalid when it gets too large.
 */
export function withAdditions(
  workspace: WorkspaceDocument,
  additions: readonly Addition[],
): WorkspaceDocument {
  const items = new Map(workspace.items.map((item) => [item.id, item]))
  for (const addition of additions) {
    const id = itemId(addition.product.catalog, addition.product.id)
    items.set(id, withAddition(items.get(id), addition))
  }
  const next = [...items.values()]
  if (next.length > Math.max(workspace.items.length, limits.workspaceItems)) {
    throw new Invalid(`A workspace has at most ${limits.workspaceItems} items.`)
  }
  const isNew = (item: StoredItem, at: number) => item.snapshot !== workspace.items[at]?.snapshot
  if (next.some(isNew)) checkBytes('items', next, limits.workspaceItemBytes)
  const isSame = next.every((item, at) => item === workspace.items[at])
  return isSame ? workspace : withItems(workspace, next)
}

/** The workspace with another quantity or price of one item. Throws NotFound, Forbidden. */
export function withItemDetails(
  workspace: WorkspaceDocument,
  id: string,
  details: ItemDetailsInput,
): WorkspaceDocument {
  const before = workspace.items.find((item) => item.id === id)
  if (!before) throw missingItem()
  const after = withDetails(before, details)
  if (after === before) return workspace
  return withItems(
    workspace,
    workspace.items.map((item) => (item === before ? after : item)),
  )
}

/**
 * The workspace without an item. Throws NotFound, unless an earlier attempt may have removed it.
 */
export function withoutItem(
  workspace: WorkspaceDocument,
  id: string,
  isRepeated: boolean,
): WorkspaceDocument {
  const items = workspace.items.filter((item) => item.id !== id)
  if (items.length < workspace.items.length) return withItems(workspace, items)
  if (isRepeated) return workspace
  throw missingItem()
}

const missingItem = () => new NotFound('Workspace item')

/**
 * The workspace with a value for a field of an extension; null removes the field. Throws Invalid
 * when it gets too large.
 */
export function withField(
  workspace: WorkspaceDocument,
  { extensionId, key, value }: Omit<ExtensionField, 'value'> & { readonly value: string | null },
): WorkspaceDocument {
  const isOther = (field: ExtensionField) => field.extensionId !== extensionId || field.key !== key
  const others = workspace.fields.filter(isOther)
  if (value === null) {
    return others.length === workspace.fields.length ? workspace : { ...workspace, fields: others }
  }
  const fields = sortedFields([...others, { extensionId, key, value }])
  if (fields.length > workspace.fields.length && fields.length > limits.workspaceFields) {
    throw new Invalid(`A workspace has at most ${limits.workspaceFields} fields.`)
  }
  if (bytesOf(fields) > bytesOf(workspace.fields)) {
    checkBytes('fields', fields, limits.workspaceFieldBytes)
  }
  return { ...workspace, fields }
}

function checkBytes(what: string, entries: readonly object[], most: number): void {
  const bytes = bytesOf(entries)
  if (bytes <= most) return
  throw new Invalid(`The ${what} of the workspace would have ${bytes} bytes. The limit is ${most}.`)
}

const bytesOf = (entries: readonly object[]): number => Buffer.byteLength(JSON.stringify(entries))

/** Sorts fields by extension and key. */
export const sortedFields = (fields: readonly ExtensionField[]): ExtensionField[] =>
  fields.toSorted((a, b) => compare(a.extensionId, b.extensionId) || compare(a.key, b.key))

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
