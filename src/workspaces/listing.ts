import { searchWithinBytes } from '../elastic/byte-limited-search.ts'
import { anyOf } from '../elastic/clauses.ts'
import { refreshCoalesced } from '../elastic/refresh.ts'
import { limits } from '../limits.ts'
import type { Context } from '../operation.ts'
import { mapInSteps } from '../platform/in-steps.ts'
import {
  type CatalogProduct,
  readCatalogProducts,
  readFirstCatalogProducts,
} from '../products/references.ts'
import { type ProductView, viewerOf, viewProduct } from '../products/view.ts'
import { ordinaryWorkspaces, workspacesOf } from './store.ts'
import type { StoredItem, WorkspaceDocument } from './workspace.ts'

/** An item with its product as the caller sees it now; null when it is gone. */
export interface ItemWithProduct {
  readonly item: StoredItem
  readonly product: ProductView | null
}

/** What lists show of a workspace without reading its items. */
type WorkspaceSummary = Pick<WorkspaceDocument, 'id' | 'name' | 'totals'>

export interface WorkspaceView extends WorkspaceSummary {
  readonly items: readonly ItemWithProduct[]
}

/** A workspace with all its items; its document must have been opened for the caller. */
export const viewWorkspace = async (
  ctx: Context,
  { id, name, totals, items }: WorkspaceDocument,
): Promise<WorkspaceView> => {
  const documents = await readCatalogProducts(ctx, items)
  return { id, name, totals, items: await withProducts(ctx, items, documents) }
}

/** All workspaces by name with their totals, and the items of the first that fit into one answer. */
export async function viewWorkspaces(ctx: Context): Promise<WorkspaceView[]> {
  await refreshCoalesced(ctx.elastic, 'workspaces', { signal: ctx.signal })
  const summaries = await readSummaries(ctx)
  const read = await readWorkspaces(ctx, fitting(summaries, limits.workspaceItems))
  const documents = await readFirstCatalogProducts(
    ctx,
    read.flatMap(({ items }) => items),
  )
  let from = 0
  const views = new Map<string, WorkspaceView>()
  for (const { id, name, totals, items } of read) {
    const to = from + items.length
    if (to > documents.length) break
    const seen = await withProducts(ctx, items, documents.slice(from, to))
    views.set(id, { id, name, totals, items: seen })
    from = to
  }
  return summaries.map((summary) => views.get(summary.id) ?? { ...summary, items: [] })
}

/** Ids of the first workspaces with at most `most` items together. None is included in part. */
export function fitting(workspaces: readonly WorkspaceSummary[], most: number): string[] {
  let room = most
  return workspaces.flatMap(({ id, totals: { items } }) => {
    if (items === 0 || items > room) return []
    room -= items
    return [id]
  })
}

const SUMMARY = ['id', 'name', 'totals.items', 'totals.quantity', 'totals.price']

/** Reads columns, since the documents contain all items. */
async function readSummaries(ctx: Context): Promise<WorkspaceSummary[]> {
  const answer = await workspacesOf(ctx, ctx.organization.id).search(
    {
      query: ordinaryWorkspaces,
      size: limits.workspaces,
      sort: [{ name: 'asc' }],
      _source: false,
      docvalue_fields: SUMMARY,
      track_total_hits: false,
    },
    { signal: ctx.signal },
  )
  return answer.hits.hits.map(({ fields }) => {
    const [id, name, items, quantity, price] = SUMMARY.map((field) => fields![field][0])
    return { id, name, totals: { items, quantity, price } }
  })
}

/** The first of these workspaces that fit into one answer, by name. */
async function readWorkspaces(ctx: Context, ids: readonly string[]): Promise<WorkspaceDocument[]> {
  const query = anyOf('id', ids)
  if (!query) return []
  return searchWithinBytes(
    workspacesOf(ctx, ctx.organization.id),
    {
      query,
      size: ids.length,
      sort: [{ name: 'asc' }],
      _source: ['id', 'name', 'totals', 'items'],
    },
    { signal: ctx.signal, most: limits.answerBytes },
  )
}

function withProducts(
  ctx: Context,
  items: readonly StoredItem[],
  documents: readonly (CatalogProduct | undefined)[],
): Promise<ItemWithProduct[]> {
  const viewer = viewerOf(ctx)
  return mapInSteps(items, (item, index) => {
    const document = documents[index]
    return { item, product: document ? viewProduct(document, viewer) : null }
  })
}
