import type { SearchAnswer } from '../../elastic/search.ts'
import { searchMany } from '../../elastic/search-many.ts'
import type { Context } from '../../operation.ts'
import { documentsOf } from '../../workspaces/store.ts'
import type { ItemDocument, WorkspaceDocument } from '../../workspaces/workspace.ts'
import { togetherness } from './likelihood.ts'
import { type Counted, deletedBody, frequencyBody, holdersBody, neighboursBody } from './queries.ts'

/** A line that stands beside another one more often than by chance. */
export interface Neighbour {
  readonly of: string
  readonly line: string
  readonly score: number
}

/** Workspaces of one line that are looked at, those changed last. */
const MOST_HOLDERS = 1_000

/** Workspaces of the organization that do not count. */
export async function countedWorkspaces(ctx: Context, own: string | null): Promise<Counted> {
  const { hits } = await itemsOf<WorkspaceDocument>(ctx).search(deletedBody, { signal: ctx.signal })
  const gone = hits.hits.flatMap(({ _source }) => {
    const { id, gone: before, deleted } = _source!
    return [...(before ?? []), ...(deleted ? [id] : [])]
  })
  return { without: own === null ? gone : [...gone, own] }
}

export const itemsOf = <T extends object>(ctx: Context) => documentsOf<T>(ctx, ctx.organization.id)

/** The lines that stand beside these ones in workspaces, with how much more than by chance. */
export async function neighboursOf(
  ctx: Context,
  lines: readonly string[],
  counted: Counted,
): Promise<Neighbour[]> {
  const items = itemsOf<ItemDocument>(ctx)
  const options = { signal: ctx.signal }
  const { hits } = await items.search(holdersBody(lines, counted), options)
  const holders = new Map<string, string[]>()
  for (const { _source } of hits.hits) {
    const { id, workspace } = _source!
    holders.set(id, [...(holders.get(id) ?? []), workspace])
  }
  const asked = [...holders]
  const bodies = asked.map(([, held]) => neighboursBody(held.slice(0, MOST_HOLDERS), counted))
  const answers = await searchMany(ctx.elastic, items.place, bodies, options)
  const beside = asked.map(([line], at) => ({ line, counts: countsIn(answers[at]!) }))
  const named = new Set(lines)
  const all = new Set(beside.flatMap(({ counts }) => [...counts.keys()]))
  if (all.size === 0) return []
  const frequency = await items.search(frequencyBody([...all], counted), options)
  const total = (frequency.aggregations!.all as unknown as { value: number }).value
  const alone = countsIn(frequency)
  return beside.flatMap(({ line, counts }) =>
    [...counts].flatMap(([other, both]) => {
      if (named.has(other)) return []
      const one = alone.get(line) ?? both
      const score = togetherness({ both, one, other: alone.get(other) ?? both, all: total })
      return score > 0 ? [{ of: line, line: other, score }] : []
    }),
  )
}

function countsIn({ aggregations }: SearchAnswer<unknown>): Map<string, number> {
  const { buckets } = aggregations!.lines as unknown as {
    readonly buckets: readonly { readonly key: string; readonly doc_count: number }[]
  }
  return new Map(buckets.map(({ key, doc_count }) => [key, doc_count]))
}
