import { setImmediate as breathe } from 'node:timers/promises'
import { v7 as uuidv7 } from 'uuid'
import type { CatalogScope } from '../../catalogs/store.ts'
import { type BulkBody, createBulkBody } from '../../elastic/bulk-body.ts'
import type { Stored } from '../../elastic/collection.ts'
import { Invalid } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { Context } from '../../operation.ts'
import { indexedDocument, productsOf } from '../../products/documents.ts'
import { checkSize } from '../../products/patch.ts'
import type { ProductDocument } from '../../products/product.ts'
import { BadRow } from '../rows/csv-row.ts'
import { createActions } from './actions.ts'
import { type ApplyOptions, applyRows, type RowOutcome } from './apply.ts'
import type { DraftBatch, Group } from './draft.ts'
import { pointsOfImport, sendPoints } from './insights.ts'
import { createLogSettler } from './log.ts'
import type { Marking } from './mark.ts'
import { createPatience, patiently } from './patience.ts'
import { createSender } from './sender.ts'

type Outcomes = Map<Group, readonly RowOutcome[]>

/** Writes the products of a batch; several batches at once, none with a product of another. */
export interface BatchWriter {
  /** When the products written from now on are dated; later than those of any batch before. */
  nextTime(): Date
  /** What became of each group's rows. Throws Interrupted when told to give way. */
  write(groups: readonly Group[], now: Date): Promise<Outcomes>
  /** Resolves when the change log holds what was written. */
  settled(): Promise<void>
}

export interface WriterOptions extends Pick<ApplyOptions, 'createProducts' | 'updateMetadata'> {
  readonly ctx: Context
  readonly scope: CatalogScope
  /** Nothing is known to exist: try to create before looking. */
  readonly expectNew: boolean
  readonly isCancelled: () => boolean
  /** Throws when the import may be somebody else's by now. */
  readonly hold: () => void
  /** Which run this is, as products are marked with it. */
  readonly marking: () => Marking
}

const READ_MS = 30_000
/** Products read and built in one go; more would take memory and keep other requests waiting. */
const SLICE = 50
/** Share of creations that may meet an existing product before looking first pays. */
const WASTED = 0.1

type Existing = Stored<ProductDocument> | undefined

export function createBatchWriter(options: WriterOptions): BatchWriter {
  const { ctx, scope, isCancelled } = options
  const products = productsOf(ctx, scope)
  const { creating, replacing } = createActions(ctx.elastic, products)
  const send = createSender({ ctx, products, isCancelled, hold: options.hold })
  const log = createLogSettler(ctx, scope)
  const idle: BulkBody[] = []
  const actor = ctx.caller.username
  let createFirst = options.expectNew && options.createProducts
  let lastTime = 0

  const read = (groups: readonly Group[]): Promise<Existing[]> =>
    patiently(isCancelled, () =>
      products.getMany(
        groups.map(({ id }) => id),
        { timeoutMs: READ_MS, signal: ctx.signal },
      ),
    )

  const applied = (group: Group, existing: Existing, now: Date) =>
    applyRows(group.id, existing?.source, group.changes(), {
      ...options,
      marking: { ...options.marking(), numbers: group.numbers },
      catalog: scope.name,
      organization: ctx.organization.id,
      stamp: { entryId: existing ? uuidv7({ msecs: now.getTime() }) : '', actor, source: 'import' },
      now,
    })

  /** Adds the line of a product that is to be stored; one that is not has its outcome already. */
  function draft(batch: DraftBatch, group: Group, existing: Existing, now: Date) {
    const { document, outcomes } = applied(group, existing, now)
    if (!document) return outcomes
    const line = JSON.stringify(indexedDocument(scope, document))
    const problem = line.length > limits.productBytes / 3 ? tooLarge(document) : undefined
    if (problem) return rejecting(group, problem)
    batch.body.add(existing ? replacing(group.id, existing) : creating(group.id), line)
    batch.drafts.push({ group, logged: document.pending.length > 0 ? document : undefined })
    batch.points.push(...pointsOfImport(ctx, existing?.source.product, document))
    return outcomes
  }

  async function drafted(
    groups: readonly Group[],
    { look, now, known }: { look: boolean; now: Date; known: Outcomes },
  ): Promise<DraftBatch> {
    const batch: DraftBatch = { drafts: [], body: idle.pop() ?? createBulkBody(), points: [] }
    for (let at = 0; at < groups.length; at += SLICE) {
      const slice = groups.slice(at, at + SLICE)
      const existing = look ? await read(slice) : []
      for (const [i, group] of slice.entries()) {
        known.set(group, draft(batch, group, existing[i], now))
      }
      await breathe()
    }
    return batch
  }

  return {
    nextTime() {
      lastTime = Math.max(ctx.clock.now().getTime(), lastTime + 1)
      return new Date(lastTime)
    },
    async write(groups, now) {
      const outcomes: Outcomes = new Map()
      const patience = createPatience(isCancelled)
      let open = groups
      let look = !createFirst
      for (let round = 0; ; round++) {
        const batch = await drafted(open, { look, now, known: outcomes })
        await sendPoints(batch.points, { ctx, owner: scope.owner, isCancelled })
        const { logged, stale, refused } = await send(batch)
        batch.body.clear()
        idle.push(batch.body)
        for (const { group } of refused) outcomes.set(group, rejecting(group, REFUSED))
        log.settle(logged)
        if (stale.length === 0) return outcomes
        if (stale.length > groups.length * WASTED) createFirst = false
        if (round > 0) await patience.wait()
        open = stale.map(({ group }) => group)
        look = true
      }
    },
    settled: () => log.settled(),
  }
}

const REFUSED = new BadRow('the search engine refused the product')

const rejecting = ({ rows }: Group, reason: BadRow): BadRow[] => rows.map(() => reason)

function tooLarge({ product }: ProductDocument): BadRow | undefined {
  try {
    checkSize(product)
    return undefined
  } catch (error) {
    if (error instanceof Invalid) return new BadRow(error.message.replace(/^body: /, ''))
    throw error
  }
}
