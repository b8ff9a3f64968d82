import { setImmediate as breathe } from 'node:timers/promises'
import { v7 as uuidv7 } from 'uuid'
import type { CatalogScope } from '../../catalogs/store.ts'
import { createBulkBody } from '../../elastic/bulk-body.ts'
import type { Stored } from '../../elastic/collection.ts'
import { Invalid } from '../../errors.ts'
import { BadRow } from '../../formats/rows/mapped-row.ts'
import { limits } from '../../limits.ts'
import { createPointItem } from '../../products/insights/store.ts'
import { checkSize } from '../../products/patch.ts'
import type { ProductDocument } from '../../products/product.ts'
import { indexedDocument, productsOf } from '../../products/product-documents.ts'
import { createBackoff, retryUntilCancelled } from '../../tasks/backoff.ts'
import type { TaskRunContext } from '../../tasks/task.ts'
import type { ImportCheckpoint } from '../checkpoint.ts'
import { type ApplyOptions, applyRows, type RowOutcome } from './apply-rows.ts'
import { createActions, type DraftBatch } from './draft.ts'
import { pointsOfImport, sendPoints } from './insights.ts'
import type { ProductRows } from './product-rows.ts'
import { createBatchSender } from './sender.ts'
import { createLogSettler } from './settle-log.ts'

type Outcomes = Map<ProductRows, readonly RowOutcome[]>

export type BatchWriter = ReturnType<typeof createBatchWriter>

interface WriterOptions extends Pick<ApplyOptions, 'createProducts' | 'updateMetadata'> {
  readonly scope: CatalogScope
  /** Nothing is known to exist: try to create before looking. */
  readonly expectNew: boolean
}

const READ_MS = 30_000
/** Products read and drafted at a time: more would take memory and delay other requests. */
const SLICE = 50
/** For the first products, whose size is unknown. */
const FIRST_SLICE = 10
const SLICE_BYTES = 4 * 1024 * 1024
/** Bytes of them after which others get their turn. */
const BREATH_BYTES = 256 * 1024
/** Bytes per request: a row is short, but the product that it changes may be large. */
const BODY_BYTES = 4 * 1024 * 1024
/** Share of creations that may fail before reading first is cheaper. */
const WASTED = 0.1

type Existing = Stored<ProductDocument> | undefined

/** Writes batches of products; several concurrently, as long as none shares a product. */
export function createBatchWriter(run: TaskRunContext, options: WriterOptions) {
  const { ctx, isCancelled, task } = run
  const { scope } = options
  const products = productsOf(ctx, scope)
  const { creating, replacing } = createActions(ctx.elastic, products)
  const send = createBatchSender(run, products)
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
      marking: {
        task: task.id,
        fence: task.lease?.fence ?? 0,
        kept: (run.kept() as ImportCheckpoint | null)?.rows ?? 0,
        numbers: group.numbers,
      },
      catalog: scope.name,
      organization: ctx.organization.id,
      stamp: { entryId: existing ? uuidv7({ msecs: now.getTime() }) : '', actor, source: 'import' },
      now,
    })

  /** Adds the lines of a product that changes. Returns the outcome of each row. */
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

  /** Drafts products until the body is large enough. Returns the remaining ones. */
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
    /** Begins a batch; its products are dated later than those of any batch before. */
    begin() {
      const now = nextTime()
      const outcomes: Outcomes = new Map()
      let batch = emptyBatch()
      return {
        /** Drafts products that need no lookup. Rows may still be added to them. */
        ahead(groups: readonly ProductRows[]): void {
          if (!createFirst) return
          for (const group of groups) outcomes.set(group, draft(batch, group, undefined, now))
        },
        /** For a batch that is not written. */
        drop: (): void => giveBack(batch),
        /** The outcome of each group's rows. Throws Interrupted when told to give way. */
        async write(groups: readonly ProductRows[]): Promise<Outcomes> {
          const patience = createBackoff(isCancelled)
          let open = withoutReady(groups, batch, outcomes)
          let look = !createFirst
          for (let conflicts = 0; ; ) {
            const left = await fill(batch, open, { look, now, known: outcomes })
            await sendPoints(batch, run)
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
    /** Resolves when the change log holds what was written. */
    settled: () => log.settled(),
  }
}

/** The number of products to read next, by the size of the last ones. */
function nextSlice(drafts: number, bytes: number): number {
  if (drafts === 0) return SLICE
  return Math.max(1, Math.min(SLICE, Math.floor((SLICE_BYTES * drafts) / bytes)))
}

/** The groups without a complete draft; drafts that lack rows are dropped. */
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
