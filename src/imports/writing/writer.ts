import { setImmediate as breathe } from 'node:timers/promises'
import { v7 as uuidv7 } from 'uuid'
import type { CatalogScope } from '../../catalogs/store.ts'
import { createBulkBody } from '../../elastic/bulk-body.ts'
import type { Stored } from '../../elastic/collection.ts'
import { Invalid } from '../../errors.ts'
import { BadRow } from '../../formats/rows/mapped-row.ts'
import { limits } from '../../limits.ts'
import type { Context } from '../../operation.ts'
import { createPointItem } from '../../products/insights/store.ts'
import { checkSize } from '../../products/patch.ts'
import type { ProductDocument } from '../../products/product.ts'
import { indexedDocument, productsOf } from '../../products/product-documents.ts'
import { createBackoff, retryUntilCancelled } from '../../tasks/backoff.ts'
import { type ApplyOptions, applyRows, type RowOutcome } from './apply-rows.ts'
import { createActions } from './bulk-actions.ts'
import type { DraftBatch } from './draft.ts'
import type { Marking } from './import-mark.ts'
import { pointsOfImport, sendPoints } from './insights.ts'
import type { ProductRows } from './product-rows.ts'
import { createBatchSender } from './sender.ts'
import { createLogSettler } from './settle-log.ts'

type Outcomes = Map<ProductRows, readonly RowOutcome[]>

/** Writes the products of a batch; several batches at once, none with a product of another. */
export interface BatchWriter {
  /** Begins a batch; its products are dated later than those of any batch before. */
  begin(): BatchWriting
  /** Resolves when the change log holds what was written. */
  settled(): Promise<void>
}

/** A batch from its first row until it is stored. */
interface BatchWriting {
  /** Makes products ready of which nothing must be read first. Rows may still be added to them. */
  ahead(groups: readonly ProductRows[]): void
  /** What became of each group's rows. Throws Interrupted when told to give way. */
  write(groups: readonly ProductRows[]): Promise<Outcomes>
  /** Forgets what was made ready, for a batch that is not written. */
  drop(): void
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
/** Of the first ones nobody knows how large they are. */
const FIRST_SLICE = 10
const SLICE_BYTES = 4 * 1024 * 1024
/** Bytes of them after which others get their turn. */
const BREATH_BYTES = 256 * 1024
/** What is sent at once: a row is short, but the product that it changes may be large. */
const BODY_BYTES = 4 * 1024 * 1024
/** Share of creations that may meet an existing product before looking first pays. */
const WASTED = 0.1

type Existing = Stored<ProductDocument> | undefined

export function createBatchWriter(options: WriterOptions): BatchWriter {
  const { ctx, scope, isCancelled } = options
  const products = productsOf(ctx, scope)
  const { creating, replacing } = createActions(ctx.elastic, products)
  const send = createBatchSender({ ctx, products, isCancelled, hold: options.hold })
  const log = createLogSettler(ctx, scope)
  const pointItem = createPointItem(ctx.elastic, scope.owner)
  const idle: DraftBatch[] = []
  const actor = ctx.caller.username
  let createFirst = options.expectNew && options.createProducts
  let lastTime = 0
  let slice = FIRST_SLICE

  const read = (groups: readonly ProductRows[]): Promise<Existing[]> =>
    retryUntilCancelled(isCancelled, () =>
      products.getMany(
        groups.map(({ id }) => id),
        { timeoutMs: READ_MS, signal: ctx.signal, most: Infinity },
      ),
    )

  const applied = (group: ProductRows, existing: Existing, now: Date) =>
    applyRows(group.id, existing?.source, group.changes(), {
      ...options,
      marking: { ...options.marking(), numbers: group.numbers },
      catalog: scope.name,
      organization: ctx.organization.id,
      stamp: { entryId: existing ? uuidv7({ msecs: now.getTime() }) : '', actor, source: 'import' },
      now,
    })

  /** Adds the line of a product that is to be stored; one that is not has its outcome already. */
  function draft(batch: DraftBatch, group: ProductRows, existing: Existing, now: Date) {
    const { document, outcomes } = applied(group, existing, now)
    if (!document) return outcomes
    const line = JSON.stringify(indexedDocument(scope, document))
    const problem = line.length > limits.productBytes / 3 ? tooLarge(document) : undefined
    if (problem) return rejecting(group, problem)
    batch.body.add(existing ? replacing(group.id, existing) : creating(group.id), line)
    const pointsFrom = batch.points.count
    for (const point of pointsOfImport(ctx, existing?.source.product, document)) {
      const { action, document: line } = pointItem(point)
      batch.points.add(action, line)
    }
    batch.drafts.push({
      group,
      logged: document.pending.length > 0 ? document : undefined,
      pointsFrom,
      pointsTo: batch.points.count,
    })
    return outcomes
  }

  const emptyBatch = (): DraftBatch =>
    idle.pop() ?? { drafts: [], body: createBulkBody(), points: createBulkBody() }

  function giveBack(batch: DraftBatch): void {
    batch.drafts.length = 0
    batch.body.clear()
    batch.points.clear()
    idle.push(batch)
  }

  /** Makes drafts of products until the body is large enough; answers those that are left. */
  async function fill(
    batch: DraftBatch,
    groups: readonly ProductRows[],
    { look, now, known }: { look: boolean; now: Date; known: Outcomes },
  ): Promise<readonly ProductRows[]> {
    const { body, drafts } = batch
    for (let at = 0; at < groups.length; ) {
      const end = Math.min(groups.length, at + slice)
      const existing = look ? await read(groups.slice(at, end)) : []
      const before = { at, size: body.size, drafts: drafts.length }
      for (let breath = body.size; at < end && body.size < BODY_BYTES; at++) {
        const group = groups[at]!
        known.set(group, draft(batch, group, existing[at - before.at], now))
        if (body.size - breath < BREATH_BYTES) continue
        breath = body.size
        await breathe()
      }
      slice = nextSlice(drafts.length - before.drafts, body.size - before.size)
      if (body.size >= BODY_BYTES) return groups.slice(at)
      await breathe()
    }
    return []
  }

  function nextTime(): Date {
    lastTime = Math.max(ctx.clock.now().getTime(), lastTime + 1)
    return new Date(lastTime)
  }

  return {
    begin() {
      const now = nextTime()
      const outcomes: Outcomes = new Map()
      let batch = emptyBatch()
      return {
        ahead(groups) {
          if (!createFirst) return
          for (const group of groups) outcomes.set(group, draft(batch, group, undefined, now))
        },
        drop: () => giveBack(batch),
        async write(groups) {
          const patience = createBackoff(isCancelled)
          let open = withoutReady(groups, batch, outcomes)
          let look = !createFirst
          for (let conflicts = 0; ; ) {
            const left = await fill(batch, open, { look, now, known: outcomes })
            await sendPoints(batch, { ctx, isCancelled })
            const { logged, stale, refused } = await send(batch)
            giveBack(batch)
            for (const { group } of refused) outcomes.set(group, rejecting(group, REFUSED))
            log.settle(logged)
            if (stale.length === 0 && left.length === 0) return outcomes
            if (stale.length > groups.length * WASTED) createFirst = false
            if (stale.length > 0 && conflicts++ > 0) await patience.wait()
            open = [...left, ...stale.map(({ group }) => group)]
            look ||= stale.length > 0
            batch = emptyBatch()
          }
        },
      }
    },
    settled: () => log.settled(),
  }
}

/** How many products to read next, by the bytes of those that were read last. */
function nextSlice(drafts: number, bytes: number): number {
  if (drafts === 0) return SLICE
  return Math.max(1, Math.min(SLICE, Math.floor((SLICE_BYTES * drafts) / bytes)))
}

/** The groups that are not ready as they are now; drafts that have not all rows are dropped. */
function withoutReady(groups: readonly ProductRows[], { drafts }: DraftBatch, outcomes: Outcomes) {
  const isReady = (group: ProductRows) => outcomes.get(group)?.length === group.rows.length
  for (const [place, draft] of drafts.entries()) {
    if (draft && !isReady(draft.group)) drafts[place] = undefined
  }
  return groups.filter((group) => !isReady(group))
}

const REFUSED = new BadRow('the search engine refused the product')

const rejecting = ({ rows }: ProductRows, reason: BadRow): BadRow[] => rows.map(() => reason)

function tooLarge({ product }: ProductDocument): BadRow | undefined {
  try {
    checkSize(product)
    return undefined
  } catch (error) {
    if (error instanceof Invalid) return new BadRow(error.message.replace(/^body: /, ''))
    throw error
  }
}
