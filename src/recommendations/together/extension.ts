import { Invalid } from '../../errors.ts'
import type { Call, RecommendationExtension, RunRequest } from '../../extensions/contract.ts'
import type { Match } from '../../extensions/wire.ts'
import { limits } from '../../limits.ts'
import { readDocuments } from '../../products/references.ts'
import { lineId } from '../../workspaces/lines.ts'
import { refreshWorkspaces } from '../../workspaces/reading.ts'
import type { ItemDocument } from '../../workspaces/workspace.ts'
import { manifestOf } from '../manifest.ts'
import { recommendation, rounded } from '../match.ts'
import { countedWorkspaces, itemsOf, type Neighbour, neighboursOf } from './counting.ts'
import { productsBody } from './queries.ts'

/** Finds what the organization's people put into workspaces together. */
export const together: RecommendationExtension = {
  manifest: manifestOf({
    id: 'together',
    name: 'Bought together',
    description: 'Accessories: what is in the same workspaces more often than by chance.',
    fields: [],
  }),
  run: runTogether,
}

async function runTogether({ ctx, request }: Call<RunRequest>) {
  const asked = request.products.slice(0, limits.recommendationProducts)
  if (asked.length === 0 && request.workspace === null) {
    throw new Invalid('products: name at least one, or a workspace')
  }
  const names = new Map(asked.map(({ catalog, id }) => [lineId(catalog, id), id]))
  if (names.size === 0) return recommendation([])
  await refreshWorkspaces(ctx)
  const counted = await countedWorkspaces(ctx, request.workspace)
  const neighbours = best(await neighboursOf(ctx, [...names.keys()], counted))
  const lines = [...new Set(neighbours.map(({ line }) => line))]
  if (lines.length === 0) return recommendation([])
  const { hits } = await itemsOf<ItemDocument>(ctx).search(productsBody(lines, counted), {
    signal: ctx.signal,
  })
  const items = hits.hits.map(({ _source }) => _source!)
  const documents = await readDocuments(ctx, items)
  const found = new Map(items.map(({ id, catalog }, at) => [id, { catalog, ...documents[at] }]))
  return recommendation(
    neighbours.flatMap(({ of, line, score }): Match[] => {
      const { product, catalog } = found.get(line) ?? {}
      if (!product || catalog === undefined) return []
      const name = names.get(of)!
      return [
        {
          productId: product.id,
          scorer: 'together',
          source: catalog,
          matchedTo: name,
          qty: null,
          mfp: product.manufacturerPartNumber,
          name: product.name,
          matchGroup: name,
          score: rounded(score),
        },
      ]
    }),
  )
}

/** For each line those that it is with most. */
function best(neighbours: readonly Neighbour[]): Neighbour[] {
  const byLine = Map.groupBy(neighbours, ({ of }) => of)
  return [...byLine.values()].flatMap((group) =>
    group
      .toSorted((a, b) => b.score - a.score || (a.line < b.line ? -1 : 1))
      .slice(0, limits.recommendedProducts),
  )
}
