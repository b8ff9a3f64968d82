import { all } from '../elastic/clauses.ts'
import type { Context } from '../operation.ts'
import type { ExportSelection } from './job.ts'
import { inOrderOfIds, openSelection, type PagePosition } from './selected-products.ts'

/** A product that was found, with its version in the index. */
export interface FoundId {
  readonly id: string
  readonly version: number
}

/** Products that have all words of the search, ordered by id, after the id `after`. */
export async function readIds(
  ctx: Context,
  selection: ExportSelection,
  { after, size }: Pick<PagePosition, 'after' | 'size'>,
): Promise<FoundId[]> {
  const { products, query } = await openSelection(ctx, selection, { mode: 'strict', isExact: true })
  const { hits } = await products.search(
    {
      size,
      track_total_hits: false,
      _source: ['product.version'],
      ...inOrderOfIds(query, after),
    },
    { most: Infinity },
  )
  return hits.hits.map(({ sort, _source }) => ({
    id: sort![0] as string,
    version: _source!.product.version,
  }))
}

/** Number of products that `readIds` finds after one of them, all writes so far included. */
export async function countStrict(
  ctx: Context,
  selection: ExportSelection,
  after: string | null,
): Promise<number> {
  const options = { mode: 'strict', refreshed: true, isExact: true } as const
  const { products, query } = await openSelection(ctx, selection, options)
  const behind = after === null ? undefined : { range: { 'search.id': { gt: after } } }
  return products.count(all([query, behind]))
}
