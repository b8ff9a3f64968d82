import type { CatalogScope } from '../../catalogs/store.ts'
import { bulk } from '../../elastic/bulk.ts'
import type { Context } from '../../operation.ts'
import { storePendingEntries } from '../../products/change-log.ts'
import { productsOf } from '../../products/product-documents.ts'
import { createActions, type LoggedWrite } from './draft.ts'

/** Batches whose entries may wait; more would only grow memory. */
const WAITING = 8

/**
 * Moves the log entries of written products to their own index, beside the import. Those that fail
 * or are dropped stay in the products' `pending`, where the service finds them later.
 */
export function createLogSettler(ctx: Context, scope: CatalogScope) {
  const running = new Set<Promise<void>>()
  return {
    settle(written: readonly LoggedWrite[]): void {
      if (written.length === 0 || running.size >= WAITING) return
      const job = settle(ctx, scope, written)
        .catch((error: unknown) => ctx.log.warn({ err: error }, 'change log not settled yet'))
        .finally(() => running.delete(job))
      running.add(job)
    },
    async settled(): Promise<void> {
      await Promise.all(running)
    },
  }
}

async function settle(
  ctx: Context,
  scope: CatalogScope,
  written: readonly LoggedWrite[],
): Promise<void> {
  const documents = written.map(({ document }) => document)
  await storePendingEntries(ctx, scope.owner, documents, { refresh: 'wait_for' })
  const { replacing } = createActions(ctx.elastic, productsOf(ctx, scope))
  await bulk(
    ctx.elastic,
    written.map(({ id, settled, ...version }) => ({
      action: replacing(id, version),
      document: settled,
    })),
  )
}
