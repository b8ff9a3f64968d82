import { setImmediate as letOthersRun } from 'node:timers/promises'
import type { CatalogScope } from '../../catalogs/store.ts'
import { HashedIds } from '../../platform/hashed-ids.ts'
import { productsOf } from '../../products/product-documents.ts'
import { hashOfImport, partsOf } from '../../products/row-digest.ts'
import { retryUntilCancelled } from '../../tasks/backoff.ts'
import type { TaskRunContext } from '../../tasks/task.ts'
import type { ProductRows } from './product-rows.ts'
import { type DigestSettings, hashOfGroup } from './row-digest.ts'

const SEARCH_MS = 30_000
/** Characters of rows after which others get their turn. */
const PAUSE_LENGTH = 128 * 1024

interface UnchangedOptions extends DigestSettings {
  readonly scope: CatalogScope
  /** As in marks. */
  readonly task: string
}

/**
 * Finds products whose rows would change nothing, by the index alone. The index was refreshed when
 * the import began. Later writes by others count as later than the row; those by the import itself
 * are skipped, since it remembers the products that it did not find unchanged.
 */
export function createUnchangedProducts(
  { ctx, isCancelled }: Pick<TaskRunContext, 'ctx' | 'isCancelled'>,
  { scope, task, ...settings }: UnchangedOptions,
) {
  const products = productsOf(ctx, scope)
  const own = hashOfImport(task)
  const closely = new HashedIds()

  async function hashed(groups: readonly ProductRows[]): Promise<Map<string, ProductRows>> {
    const found = new Map<string, ProductRows>()
    let length = 0
    for (const group of groups) {
      if (closely.has(group.id)) continue
      const rows = hashOfGroup(group.id, group.peek(), settings)
      if (rows !== undefined) found.set(rows, group)
      length += group.rows.reduce((sum, { text }) => sum + text.length, 0)
      if (length < PAUSE_LENGTH) continue
      length = 0
      await letOthersRun()
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
    /** What is known of it may be out of date from here on. */
    lookClosely: ({ id }: ProductRows): void => closely.add(id),
    async among(groups: readonly ProductRows[]): Promise<ReadonlySet<ProductRows>> {
      const open = await hashed(groups)
      const unchanged = new Set<ProductRows>()
      if (open.size === 0) return unchanged
      for (const digest of await digestsOf(open.values())) {
        const { rows, import: by } = partsOf(digest)
        const group = open.get(rows)
        // An earlier run of this import counts its rows as what they were.
        if (group && by !== own) unchanged.add(group)
      }
      return unchanged
    },
  }
}
