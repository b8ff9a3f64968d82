import type { CatalogScope } from '../../catalogs/store.ts'
import { bulk } from '../../elastic/bulk.ts'
import type { Context } from '../../operation.ts'
import { storePendingEntries } from '../../products/change-log.ts'
import { indexedDocument, productsOf } from '../../products/product-documents.ts'
import { createActions, type LoggedWrite } from './draft.ts'

/** Moves the log entries of written products to their own index, beside the import. */
export interface LogSettler {
  settle(written: readonly LoggedWrite[]): void
  settled(): Promise<void>
}

/** Batches whose entries may wait to be moved; more would only grow memory. */
const WAITING = 8

/**
 * What fails here or is dropped stays in the products' `pending`, where the service finds it: an
 * entry is never lost, and none is stored twice, since its id is fixed.
 */
export function createLogSettler(ctx: Context, scope: CatalogScope): LogSettler {
  const running = new Set<Promise<void>>()
  return {
    settle(written) {
      if (written.length === 0 || running.size >= WAITING) return
      const job = settle(ctx, scope, written)
        .catch((error: unknown) => ctx.log.warn({ err: error }, 'change log not settled yet'))
        .finally(() => running.delete(job))
      running.add(job)
    },
    async settled() {
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
    written.map(({ id, document, ...version }) => ({
      action: replacing(id, version),
      document: JSON.stringify(indexedDocument(scope, { ...document, pending: [] })),
    })),
  )
}
