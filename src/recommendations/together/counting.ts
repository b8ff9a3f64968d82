import { bucketsIn } from '../../elastic/answer-parts.ts'
import { multiSearch } from '../../elastic/multi-search.ts'
import type { SearchAnswer } from '../../elastic/search.ts'
import type { Context } from '../../operation.ts'
import { workspacesOf } from '../../workspaces/store.ts'
import { togetherness } from './likelihood.ts'
import { frequencyBody, neighboursBody } from './queries.ts'

/** A product that occurs with another one more often than by chance, both by `productKey`. */
export interface Neighbour {
  readonly of: string
  readonly product: string
  readonly score: number
}

/**
 * Products that share workspaces with these, apart from `workspace`, scored by how much more often
 * than by chance.
 */
export async function neighboursOf(
  ctx: Context,
  products: readonly string[],
  workspace: string | null,
): Promise<Neighbour[]> {
  const workspaces = workspacesOf(ctx, ctx.organization.id)
  const options = { signal: ctx.signal }
  const bodies = products.map((product) => neighboursBody(product, workspace))
  const counted: Map<string, number>[] = []
  for await (const answers of multiSearch(ctx.elastic, workspaces.place, bodies, options)) {
    counted.push(...answers.map(countsIn))
  }
  const beside = products.map((product, at) => ({ product, counts: counted[at]! }))
  const all = new Set(beside.flatMap(({ counts }) => [...counts.keys()]))
  if (all.size === 0) return []
  const frequency = await workspaces.search(frequencyBody([...all], workspace), options)
  const { value: total } = frequency.hits.total as { value: number }
  const alone = countsIn({ aggregations: frequency.aggregations!.among } as WorkspaceCounts)
  const asked = new Set(products)
  return beside.flatMap(({ product, counts }) =>
    [...counts].flatMap(([other, both]) => {
      if (asked.has(other)) return []
      const one = alone.get(product) ?? both
      const score = togetherness({ both, one, other: alone.get(other) ?? both, all: total })
      return score > 0 ? [{ of: product, product: other, score }] : []
    }),
  )
}

type WorkspaceCounts = Pick<SearchAnswer<unknown>, 'aggregations'>

const countsIn = (answer: WorkspaceCounts): Map<string, number> =>
  new Map(bucketsIn(answer, 'products').map(({ key, doc_count }) => [key, doc_count]))
