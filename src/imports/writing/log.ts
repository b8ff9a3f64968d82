import type { CatalogScope } from '../../catalogs/store.ts'
import { bulk } from '../../elastic/bulk.ts'
import type { Context } from '../../operation.ts'
import { storeEntries } from '../../products/changes.ts'
import { productsOf } from '../../products/documents.ts'
import { indexedDocument } from '../../products/store.ts'
import type { Written } from './sender.ts'

/** Moves the log entries of written products to their own index, beside the import. */
export interface LogSettler {
  settle<G extends { id: string }>(written: readonly Written<G>[]): void
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
      const logged = written.filter(({ document }) => document!.pending.length > 0)
      if (logged.length === 0 || running.size >= WAITING) return
      const job = settle(ctx, scope, logged)
        .catch((error: unknown) => ctx.log.warn({ err: error }, 'change log not settled yet'))
        .finally(() => running.delete(job))
      running.add(job)
    },
    async settled() {
      await Promise.all(running)
    },
  }
}

async function settle<G extends { id: string }>(
  ctx: Context,
  scope: CatalogScope,
  written: readonly Written<G>[],
): Promise<void> {
  const entries = written.flatMap(({ document }) => document!.pending)
  await storeEntries(ctx, scope.owner, entries, { refresh: 'wait_for' })
  const products = productsOf(ctx, scope)
  const index = ctx.elastic.indexName(products.place.kind)
  await bulk(
    ctx.elastic,
    written.map(({ group, document, seqNo, primaryTerm }) => ({
      action: JSON.stringify({
        index: {
          _index: index,
          _id: products.documentId(group.id),
          routing: products.place.routing,
          if_seq_no: seqNo,
          if_primary_term: primaryTerm,
        },
      }),
      document: JSON.stringify(indexedDocument(scope, { ...document!, pending: [] })),
    })),
  )
}
