import { all, anyOf, none, some, term } from '../elastic/clauses.ts'
import { limits } from '../limits.ts'
import type { Context } from '../operation.ts'
import { countingLines } from './batches.ts'
import { readLines, refreshWorkspaces, type SeenLine, withProducts } from './reading.ts'
import { documentsOf, listWorkspaces } from './store.ts'
import { rounded, type Totals, totalsOf } from './totals.ts'
import type { ItemDocument, Line, VerdictDocument, WorkspaceDocument } from './workspace.ts'

export interface WorkspaceView {
  readonly workspace: WorkspaceDocument
  readonly totals: Totals
  readonly lines: readonly SeenLine[]
}

/** A workspace with all its items; its document must have been opened for the caller. */
export async function viewWorkspace(
  ctx: Context,
  workspace: WorkspaceDocument,
): Promise<WorkspaceView> {
  await refreshWorkspaces(ctx)
  const lines = await readLines(ctx, [workspace.id])
  return { workspace, totals: totalsOf(lines), lines: await withProducts(ctx, lines) }
}

/** All workspaces with their totals, and the items of the first that fit into one read. */
export async function viewWorkspaces(ctx: Context): Promise<WorkspaceView[]> {
  await refreshWorkspaces(ctx)
  const workspaces = await listWorkspaces(ctx)
  const totals = await readTotals(ctx)
  const sizes = workspaces.map(({ id }) => ({ id, items: totals.get(id)?.items ?? 0 }))
  const lines = await readLines(ctx, fitting(sizes, limits.workspaceItems))
  const seen = Map.groupBy(await withProducts(ctx, lines), ({ line }) => line.workspace)
  return workspaces.map((workspace) => ({
    workspace,
    totals: totals.get(workspace.id) ?? totalsOf([]),
    lines: seen.get(workspace.id) ?? [],
  }))
}

/** The first workspaces whose items are `most` together, each with all of them. Pure. */
export function fitting(
  workspaces: readonly { readonly id: string; readonly items: number }[],
  most: number,
): string[] {
  let room = most
  return workspaces.flatMap(({ id, items }) => {
    if (items === 0 || items > room) return []
    room -= items
    return [id]
  })
}

interface Sums {
  readonly buckets: readonly {
    readonly key: string
    readonly doc_count: number
    readonly quantity: { readonly value: number }
    readonly price: { readonly value: number }
  }[]
}

const settledItems = {
  filter: all([term('kind', 'item'), none([{ exists: { field: 'batch' } }])])!,
  aggs: {
    workspaces: {
      terms: { field: 'workspace', size: limits.resultWindow },
      aggs: { quantity: { sum: { field: 'quantity' } }, price: { sum: { field: 'amount' } } },
    },
  },
}

/** Totals by workspace: settled items are summed there, those of batches under way here. */
async function readTotals(ctx: Context): Promise<Map<string, Totals>> {
  const answer = await documentsOf<ItemDocument | VerdictDocument>(ctx, ctx.organization.id).search(
    {
      query: anyOf('kind', ['item', 'verdict'])!,
      aggs: { settledItems },
      post_filter: some([term('kind', 'verdict'), { exists: { field: 'batch' } }])!,
      size: limits.resultWindow,
      track_total_hits: false,
    },
    { signal: ctx.signal },
  )
  const found = answer.aggregations?.settledItems as unknown as { readonly workspaces: Sums }
  const totals = new Map<string, Totals>(
    found.workspaces.buckets.map(({ key, doc_count, quantity, price }) => [
      key,
      { items: doc_count, quantity: rounded(quantity.value), price: rounded(price.value) },
    ]),
  )
  for (const line of countingLines(answer.hits.hits.map((hit) => hit._source!))) {
    totals.set(line.workspace, plus(totals.get(line.workspace), line))
  }
  return totals
}

function plus(totals: Totals = totalsOf([]), line: Line): Totals {
  const one = totalsOf([line])
  return {
    items: totals.items + one.items,
    quantity: rounded(totals.quantity + one.quantity),
    price: rounded(totals.price + one.price),
  }
}
