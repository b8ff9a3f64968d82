import { all, none, term } from '../../elastic/clauses.ts'
import type { SearchBody } from '../../elastic/search.ts'

/** Every workspace but the one that recommendations are for; null for all. */
const othersThan = (workspace: string | null) =>
  workspace === null ? undefined : none([term('id', workspace)])

const NEIGHBOURS = 100

/** What else is in the workspaces that have a product, and in how many. */
export const neighboursBody = (product: string, workspace: string | null): SearchBody => ({
  size: 0,
  track_total_hits: false,
  query: all([term('products', product), othersThan(workspace)])!,
  aggs: { products: { terms: { field: 'products', size: NEIGHBOURS, min_doc_count: 2 } } },
})

/** In how many workspaces each product is, and how many have any. */
export const frequencyBody = (
  products: readonly string[],
  workspace: string | null,
): SearchBody => ({
  size: 0,
  track_total_hits: true,
  query: all([{ exists: { field: 'products' } }, othersThan(workspace)])!,
  aggs: {
    products: { terms: { field: 'products', include: [...products], size: products.length } },
  },
})
