import type { z } from 'zod'
import type { PriceList } from '../catalogs/price-lists/price-list.ts'
import type { CatalogScope } from '../catalogs/store.ts'
import { term } from '../elastic/clauses.ts'
import type { Context } from '../operation.ts'
import { linesIn } from '../products/list-prices.ts'
import { productsOf } from '../products/product-documents.ts'
import type { LinesQuery } from './schemas.ts'

/**
 * Reads a page of the prices of a list, ordered by product id. Its size counts products, each of
 * which comes with all its lines.
 */
export async function readLines(
  ctx: Context,
  scope: CatalogScope,
  { id: list, slot }: PriceList,
  { after, pageSize }: z.output<typeof LinesQuery>,
) {
  const found = await productsOf(ctx, scope).find(
    {
      query: term('search.priceLists', list),
      // One more than the page shows whether another page follows.
      size: pageSize + 1,
      _source: ['product.id', `listPrices.slots.${slot}`],
      sort: [{ 'search.id': 'asc' }],
      ...(after === null ? {} : { search_after: [after] }),
    },
    { signal: ctx.signal },
  )
  const shown = found.slice(0, pageSize)
  const isLast = found.length <= pageSize
  return {
    lines: shown.flatMap(({ product: { id }, listPrices }) =>
      linesIn(listPrices, { list, slot }).map((line) => ({ id, ...line })),
    ),
    ...(isLast ? {} : { after: shown.at(-1)!.product.id }),
  }
}
