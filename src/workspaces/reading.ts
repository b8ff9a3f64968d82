import { all, anyOf } from '../elastic/clauses.ts'
import { refreshIndex } from '../elastic/refresh.ts'
import { limits } from '../limits.ts'
import type { Context } from '../operation.ts'
import { readDocuments } from '../products/references.ts'
import { type ProductView, viewerOf, viewProduct } from '../products/view.ts'
import { countingLines } from './batches.ts'
import { documentsOf } from './store.ts'
import type { ItemDocument, Line, VerdictDocument } from './workspace.ts'

/** A line with its product as the caller sees it now; null when it is gone. */
export interface SeenLine {
  readonly line: Line
  readonly product: ProductView | null
}

export async function withProducts(ctx: Context, lines: readonly Line[]): Promise<SeenLine[]> {
  const documents = await readDocuments(ctx, lines)
  const viewer = viewerOf(ctx)
  return lines.map((line, index) => {
    const document = documents[index]
    return { line, product: document ? viewProduct(document, viewer) : null }
  })
}

/** Makes every acknowledged write to workspaces found by the searches that follow. */
export const refreshWorkspaces = (ctx: Context): Promise<void> =>
  refreshIndex(ctx.elastic, 'workspaces', { signal: ctx.signal })

/** The lines of workspaces that count at one moment, the first added first. */
export const readLines = async (ctx: Context, workspaces: readonly string[]): Promise<Line[]> =>
  countingLines(await readItems(ctx, workspaces))

/** Items and verdicts of workspaces at one moment; batches under way may be many times the limit. */
export async function readItems(
  ctx: Context,
  workspaces: readonly string[],
): Promise<(ItemDocument | VerdictDocument)[]> {
  if (workspaces.length === 0) return []
  const documents = documentsOf<ItemDocument | VerdictDocument>(ctx, ctx.organization.id)
  const answer = await documents.search(
    {
      query: all([anyOf('kind', ['item', 'verdict']), anyOf('workspace', workspaces)])!,
      size: limits.resultWindow,
      // Verdicts have no such time: first, so that none is cut off.
      sort: [{ added: { order: 'asc', missing: '_first' } }, { position: 'asc' }, { id: 'asc' }],
      track_total_hits: false,
    },
    { signal: ctx.signal },
  )
  return answer.hits.hits.map((hit) => hit._source!)
}
