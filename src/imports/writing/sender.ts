import type { CatalogScope } from '../../catalogs/store.ts'
import { type BulkItem, type BulkResult, bulk } from '../../elastic/bulk.ts'
import type { Collection, Stored } from '../../elastic/collection.ts'
import { Unavailable } from '../../errors.ts'
import type { Context } from '../../operation.ts'
import type { StoredProduct } from '../../products/documents.ts'
import type { ProductDocument } from '../../products/product.ts'
import type { RowOutcome } from './apply.ts'
import { createPatience, patiently } from './patience.ts'

/** A product that is to be stored, as its line of `_bulk`. */
export interface Draft<G> {
  readonly group: G
  readonly existing: Stored<ProductDocument> | undefined
  readonly document: ProductDocument | undefined
  readonly outcomes: readonly RowOutcome[]
  readonly line: string
}

/** A draft that is stored, and as which version. */
export interface Written<G> extends Draft<G> {
  readonly seqNo: number | undefined
  readonly primaryTerm: number | undefined
}

export interface Sent<G> {
  readonly written: readonly Written<G>[]
  /** Somebody else wrote in between, or created it. */
  readonly stale: readonly Draft<G>[]
  readonly refused: readonly Draft<G>[]
}

interface SenderOptions {
  readonly ctx: Context
  readonly scope: CatalogScope
  readonly products: Collection<StoredProduct>
  readonly isCancelled: () => boolean
}

/** Shorter than limits.catalogRemovalMs, after which nobody may write into a deleted catalog. */
const SEND_MS = 8_000
const CONFLICT = 409
const TOO_MANY = 429

/** Sends drafts, those that are refused for lack of room again until they are taken. */
export function createSender({ ctx, products, isCancelled }: SenderOptions) {
  const { elastic } = ctx
  const { place } = products
  const where = `"_index":${JSON.stringify(elastic.indexName(place.kind))},"routing":${JSON.stringify(place.routing)}`

  function itemOf<G extends { id: string }>({ group, existing, line }: Draft<G>): BulkItem {
    const id = products.documentId(group.id)
    const action = existing
      ? `{"index":{${where},"_id":"${id}","if_seq_no":${existing.seqNo},"if_primary_term":${existing.primaryTerm}}}`
      : `{"create":{${where},"_id":"${id}"}}`
    return { action, document: line }
  }

  return async function send<G extends { id: string }>(drafts: readonly Draft<G>[]) {
    const written: Written<G>[] = []
    const stale: Draft<G>[] = []
    const refused: Draft<G>[] = []
    const unanswered = new Set<Draft<G>>()
    const patience = createPatience(isCancelled)
    let open = drafts
    while (open.length > 0) {
      const results = await answerTo(open)
      const again: Draft<G>[] = []
      for (const [at, draft] of open.entries()) {
        const result = results?.[at]
        if (!result || result.status === TOO_MANY || result.status >= 500) again.push(draft)
        else if (result.status === CONFLICT) stale.push(draft)
        else if (result.error) refused.push(draft)
        else written.push({ ...draft, seqNo: result.seqNo, primaryTerm: result.primaryTerm })
        if (!results) unanswered.add(draft)
      }
      if (refused.length > 0) warn(results)
      if (again.length > 0) await patience.wait()
      open = again
    }
    return { written, refused, stale: await withoutOwn(stale, unanswered) }
  }

  async function answerTo<G extends { id: string }>(
    drafts: readonly Draft<G>[],
  ): Promise<BulkResult[] | undefined> {
    // Only who has log entries to move needs to know what was written.
    const versions = drafts.some(({ document }) => document!.pending.length > 0)
    const options = { timeoutMs: SEND_MS, signal: ctx.signal, versions }
    try {
      return await bulk(elastic, drafts.map(itemOf), options)
    } catch (error) {
      if (error instanceof Unavailable) return undefined
      throw error
    }
  }

  /** No answer does not mean that nothing was stored: what lies there as we sent it is ours. */
  async function withoutOwn<G extends { id: string }>(
    stale: readonly Draft<G>[],
    unanswered: ReadonlySet<Draft<G>>,
  ): Promise<Draft<G>[]> {
    const doubtful = stale.filter((draft) => unanswered.has(draft))
    const found = await patiently(isCancelled, () =>
      products.getMany(
        doubtful.map(({ group }) => group.id),
        { timeoutMs: SEND_MS, signal: ctx.signal },
      ),
    )
    const own = new Set(
      doubtful.filter(
        ({ document }, at) =>
          JSON.stringify(found[at]?.source.product) === JSON.stringify(document!.product),
      ),
    )
    return stale.filter((draft) => !own.has(draft))
  }

  function warn(results: readonly BulkResult[] | undefined): void {
    const refusal = results?.find(({ status, error }) => error && status !== CONFLICT)
    if (refusal) ctx.log.warn({ refusal, task: ctx.requestId }, 'a product was refused')
  }
}
