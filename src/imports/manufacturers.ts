import type { CatalogScope } from '../catalogs/store.ts'
import type { Context } from '../operation.ts'
import { productsOf } from '../products/documents.ts'
import { normalisePartNumber } from '../text.ts'
import type { RowChange } from './rows/change.ts'

const LISTED = 10_000
const SEARCH_MS = 30_000

/** Gives manufacturers one spelling each: the catalog's commonest, else the import's first. */
export interface Manufacturers {
  normalise(row: RowChange): RowChange
}

/** Names that differ only in case, accents, spaces and punctuation are the same. */
export async function createManufacturers(
  ctx: Context,
  scope: CatalogScope,
): Promise<Manufacturers> {
  const answer = await productsOf(ctx, scope).search(
    {
      size: 0,
      track_total_hits: false,
      aggs: { names: { terms: { field: 'search.manufacturer', size: LISTED } } },
    },
    { timeoutMs: SEARCH_MS, signal: ctx.signal },
  )
  const { buckets } = answer.aggregations!.names as unknown as { buckets: { key: string }[] }
  const spelling = new Map<string, string>()
  const spell = (name: string): string => {
    const form = normalisePartNumber(name)
    const known = spelling.get(form)
    if (known !== undefined) return known
    if (form !== '' && spelling.size < 2 * LISTED) spelling.set(form, name)
    return name
  }
  for (const { key } of buckets) spell(key)
  return {
    normalise(row) {
      const { manufacturer } = row.patch
      if (!manufacturer) return row
      return { ...row, patch: { ...row.patch, manufacturer: spell(manufacturer) } }
    },
  }
}
