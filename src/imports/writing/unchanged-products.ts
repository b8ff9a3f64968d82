import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { CatalogScope } from '../../catalogs/store.ts'
import { BloomFilter } from '../../platform/bloom-filter.ts'
import { productsOf } from '../../products/product-documents.ts'
import { hashOfImport, parseRowDigest } from '../../products/row-digest.ts'
import { retryUntilCancelled } from '../../tasks/backoff.ts'
import type { TaskRunContext } from '../../tasks/task.ts'
import type { ProductRows } from './product-rows.ts'
import { type DigestSettings, hashOfGroup } from './row-digest.ts'

const SEARCH_MS = 30_000
/** Length of rows after which to yield to other work. */
const PAUSE_LENGTH = 128 * 1024

interface UnchangedOptions extends DigestSettings {
  readonly scope: CatalogScope
  /** Id of the task, as in marks. */
  readonly task: string
}

/**
 * Finds products whose rows would change nothing, using only the index as refreshed when the import
 * began. Later writes by others count as later than the row. Products that the import itself may
 * have written are skipped.
 */
export function createUnchangedProducts(
  { ctx, isCancelled }: Pick<TaskRunContext, 'ctx' | 'isCancelled'>,
  { scope, task, ...settings }: UnchangedOptions,
) {
  const products = productsOf(ctx, scope)
  const own = hashOfImport(task)
  const excluded = new BloomFilter()

  async function hashed(groups: readonly ProductRows[]): Promise<Map<string, ProductRows>> {
    const found = new Map<string, ProductRows>()
    let length = 0
    for (const group of groups) {
      if (excluded.has(group.id)) continue
      const rows = hashOfGroup(group.id, group.changes(), settings)
      if (rows !== undefined) found.set(rows, group)
      length += group.rows.reduce((sum, row) => sum + row.length, 0)
      if (length < PAUSE_LENGTH) continue
      length = 0
      await yieldToEventLoop()
    }
    return found
  }

  async function digestsOf(groups: Iterable<ProductRows>): Promise<string[]> {
    const values = Array.from(groups, ({ id }) => products.documentId(id))
    const { hits } = await retryUntilCancelled(isCancelled, () =>
      products.search(
        {
          query: { ids: { values } },
          size: values.length,
          sort: ['_doc'],
          track_total_hits: false,
          _source: false,
          stored_fields: '_none_',
          docvalue_fields: ['rowDigest'],
        },
        { timeoutMs: SEARCH_MS, signal: ctx.signal },
      ),
    )
    return hits.hits.flatMap(({ fields }) => (fields?.rowDigest as string[] | undefined) ?? [])
  }

  return {
    /** Excludes a product from now on, since the index may be out of date for it. */
    lookClosely: ({ id }: ProductRows): void => excluded.add(id),
    async among(groups: readonly ProductRows[]): Promise<ReadonlySet<ProductRows>> {
      const open = await hashed(groups)
      const unchanged = new Set<ProductRows>()
      if (open.size === 0) return unchanged
      for (const digest of await digestsOf(open.values())) {
        const { rows, import: by } = parseRowDigest(digest)
        const group = open.get(rows)
        // Rows applied by an earlier run of this import keep the results that they had.
        if (group && by !== own) unchanged.add(group)
      }
      return unchanged
    },
  }
}
