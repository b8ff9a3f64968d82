import { all, none, term } from '../../elastic/clauses.ts'
import type { Aggregations, SearchBody } from '../../elastic/search.ts'

/** All workspaces except the one for which products are recommended; null for all. */
const othersThan = (workspace: string | null) =>
  workspace === null ? undefined : none([term('id', workspace)])

const NEIGHBOURS = 100

/** Uses `map`, since global ordinals would be built for the workspaces of all organizations. */
const counted = (asked: object): Aggregations[string] => ({
  terms: { field: 'products', execution_hint: 'map', ...asked },
})

/** Counts the other products in the workspaces that contain a product. */
export const neighboursBody = (product: string, workspace: string | null): SearchBody => ({
  size: 0,
  track_total_hits: false,
  query: all([term('products', product), othersThan(workspace)])!,
  aggs: { products: counted({ size: NEIGHBOURS, min_doc_count: 2 }) },
})

/** Counts the workspaces that contain each product, and those that contain any. */
export const frequencyBody = (
  products: readonly string[],
  workspace: string | null,
): SearchBody => ({
  size: 0,
  track_total_hits: true,
  query: all([{ exists: { field: 'products' } }, othersThan(workspace)])!,
  aggs: {
    among: {
      filter: { terms: { products: [...products] } },
      aggs: { products: counted({ include: [...products], size: products.length }) },
    },
  },
})
