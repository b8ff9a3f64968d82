import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { writableLocation } from '../../catalogs/index-location.ts'
import type { CatalogScope } from '../../catalogs/store.ts'
import type { Stored } from '../../elastic/collection.ts'
import { inPacedSteps, othersThan } from '../../platform/pacing.ts'
import type { Steps } from '../../platform/steps.ts'
import { createEntryItems, leavingEntries, storePendingEntries } from '../../products/change-log.ts'
import type { NewPoint } from '../../products/insights/points.ts'
import { createPointItem } from '../../products/insights/store.ts'
import type { Product, ProductDocument } from '../../products/product.ts'
import { indexedPieces, productsOf } from '../../products/product-documents.ts'
import { createBackoff, retryUntilCancelled } from '../../tasks/backoff.ts'
import {
  type Applied,
  createActions,
  createDraftBatches,
  type DraftBatch,
  groupsWithoutDraft,
  type ProductActions,
  storageProblem,
  type WrittenProduct,
} from './draft.ts'
import { sendPoints } from './insights.ts'
import { createProductSlices } from './product-slices.ts'
import { createBatchSender, type WriterRun } from './sender.ts'
import { createLogSettler } from './settle-log.ts'

type Existing = Stored<ProductDocument> | undefined

export interface WriterOptions<Group extends WrittenProduct, Outcome> {
  readonly scope: CatalogScope
  /** Whether products are expected to be new, so that they are created without reading first. */
  readonly expectNew: boolean
  /** Applies changes to a product. Called again after a conflict with another writer. */
  apply(group: Group, existing: ProductDocument | undefined, now: Date): Steps<Applied<Outcome>>
  /** Insights points for changes that have no log entry. */
  points?(before: Product | undefined, after: ProductDocument): readonly NewPoint[]
  /**
   * Called with products before `apply`. `again`: a draft of them was refused, or its answer lost.
   */
  prepare?(groups: readonly Group[], read: readonly Existing[], again: boolean): Promise<Existing[]>
  /** The outcomes of a product that cannot be stored. */
  refused(group: Group, reason: string): readonly Outcome[]
}

const READ_MS = 30_000
/** Bytes per request. A row is short, but the product that it changes may be large. */
const BODY_BYTES = 4 * 1024 * 1024
/** Share of creations that may fail before reading first becomes cheaper. */
const MAX_FAILED_CREATIONS = 0.1

/** Writes batches of products, several concurrently as long as they share no product. */
export function createBulkWriter<Group extends WrittenProduct, Outcome>(
  run: WriterRun,
  options: WriterOptions<Group, Outcome>,
) {
  type Outcomes = Map<Group, readonly Outcome[]>
  const { ctx, isCancelled } = run
  const { scope } = options
  const products = productsOf(ctx, scope)
  const send = createBatchSender<Group>(run, { scope, products })
  const slices = createProductSlices(ctx, products)
  const log = createLogSettler(ctx)
  const pointItem = createPointItem(ctx.elastic, scope.owner)
  const entryItems = createEntryItems(ctx, scope.owner)
  const batches = createDraftBatches<Group>()
  let actions = createActions(ctx.elastic, products)
  let createFirst = options.expectNew
  let lastTime = 0

  /** Products may move to another index between two batches. */
  async function currentActions(): Promise<ProductActions> {
    const { index } = await retryUntilCancelled(isCancelled, () => writableLocation(ctx, scope))
    const place = productsOf(ctx, { ...scope, index })
    if (place.place.kind !== actions.kind) actions = createActions(ctx.elastic, place)
    return actions
  }

  async function read(groups: readonly Group[], again: boolean): Promise<Existing[]> {
    const found = await retryUntilCancelled(isCancelled, () =>
      products.getMany(
        groups.map(({ id }) => id),
        { timeoutMs: READ_MS, signal: ctx.signal, most: Infinity },
      ),
    )
    return options.prepare?.(groups, found, again) ?? found
  }

  /**
   * Adds the lines of a changed product. Returns the outcomes; undefined if it must be read first.
   */
  function* draft(
    batch: DraftBatch<Group>,
    group: Group,
    { existing, looked, now }: { existing: Existing; looked: boolean; now: Date },
  ): Steps<readonly Outcome[] | undefined> {
    const applied = yield* options.apply(group, existing?.source, now)
    const { document, removes = false, outcomes } = applied
    if (applied.isUnseen && !looked) return undefined
    if (!document) return outcomes
    const loggedFrom = batch.log.count
    if (removes) {
      if (document.pending.length > 0) batch.leaving.push(leavingEntries(document))
      if (!existing) return outcomes
      batch.body.add(batch.actions.removing(group.id, existing))
    } else {
      const pieces = indexedPieces(scope, document)
      const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
      const write = { owner: scope.owner, before: existing?.source, after: document, length }
      const problem = storageProblem(ctx.elastic, batch.actions, write)
      if (problem) return options.refused(group, problem)
      const { creating, replacing } = batch.actions
      batch.body.add(existing ? replacing(group.id, existing) : creating(group.id), ...pieces)
      for (const { action, document: line } of entryItems(document)) batch.log.add(action, line!)
    }
    const pointsFrom = batch.points.count
    for (const point of options.points?.(existing?.source.product, document) ?? []) {
      const { action, document: line } = pointItem(point)
      batch.points.add(action, line)
    }
    const [loggedTo, pointsTo] = [batch.log.count, batch.points.count]
    batch.drafts.push({ group, removes, loggedFrom, loggedTo, pointsFrom, pointsTo })
    return outcomes
  }

  /** Drafts products until the body is large enough. Returns the remaining ones. */
  async function fill(
    batch: DraftBatch<Group>,
    groups: readonly Group[],
    { look, again, now, known, pause }: FillOptions<Outcomes>,
  ): Promise<readonly Group[]> {
    const { body, drafts } = batch
    if (drafts.length === 0) batch.actions = await currentActions()
    let looked = look
    for (let at = 0; at < groups.length; ) {
      const slice = slices.next(groups.slice(at), { areRead: looked })
      const end = at + slice.length
      const existing = looked ? await read(slice, again) : []
      const before = { at, size: body.size, drafts: drafts.length }
      const draftSlice = function* (): Steps<void> {
        for (; at < end && body.size < BODY_BYTES; at++) {
          const drafting = { existing: existing[at - before.at], looked, now }
          const outcomes = yield* draft(batch, groups[at]!, drafting)
          looked ||= !outcomes
          if (!outcomes) return
          known.set(groups[at]!, outcomes)
          yield
        }
      }
      await inPacedSteps(draftSlice(), { hasOthers: othersThan(ctx) })
      slices.drafted(drafts.length - before.drafts, body.size - before.size)
      if (body.size >= BODY_BYTES) return groups.slice(at)
      await yieldToEventLoop()
      await pause?.()
    }
    return []
  }

  /**
   * Stores what must precede the products, so that an interruption loses no log entry and no point.
   */
  async function storeBeforehand(batch: DraftBatch<Group>): Promise<void> {
    const { leaving } = batch
    if (leaving.length > 0) {
      const { signal } = ctx
      await retryUntilCancelled(isCancelled, () =>
        storePendingEntries(ctx, scope.owner, leaving, { signal }),
      )
    }
    await sendPoints(batch, run)
  }

  function nextTime(): Date {
    lastTime = Math.max(ctx.clock.now().getTime(), lastTime + 1)
    return new Date(lastTime)
  }

  return {
    /** Begins a batch. Its products have a later date than those of any batch before. */
    begin() {
      const now = nextTime()
      const outcomes: Outcomes = new Map()
      let batch = batches.take(actions)
      return {
        /** Drafts products that need no lookup, up to BODY_BYTES. Changes may still be added to them. */
        async ahead(groups: readonly Group[]): Promise<void> {
          if (!createFirst) return
          const drafting = { existing: undefined, looked: false, now }
          const drafts = function* (): Steps<void> {
            for (const group of groups) {
              if (batch.body.size >= BODY_BYTES) return
              const drafted = yield* draft(batch, group, drafting)
              if (drafted) outcomes.set(group, drafted)
              yield
            }
          }
          await inPacedSteps(drafts(), { hasOthers: othersThan(ctx) })
        },
        /** Discards a batch that is not written. */
        drop: (): void => batches.giveBack(batch),
        /** The outcomes of each product's changes. `pause` is called between reads and writes. */
        async write(groups: readonly Group[], pause?: () => Promise<void>): Promise<Outcomes> {
          const patience = createBackoff(isCancelled)
          let open = groupsWithoutDraft(groups, batch, outcomes)
          let look = !createFirst
          for (let conflicts = 0; ; ) {
            const again = conflicts > 0
            const left = await fill(batch, open, { look, again, now, known: outcomes, pause })
            await storeBeforehand(batch)
            const { logged, stale, refused } = await send(batch)
            log.settle(batch, logged)
            batches.giveBack(batch)
            for (const { group } of refused) outcomes.set(group, options.refused(group, REFUSED))
            if (stale.length === 0 && left.length === 0) return outcomes
            await pause?.()
            if (stale.length > groups.length * MAX_FAILED_CREATIONS) createFirst = false
            if (stale.length > 0 && conflicts++ > 0) await patience.wait()
            open = [...left, ...stale.map(({ group }) => group)]
            look ||= stale.length > 0
            batch = batches.take(actions)
          }
        },
      }
    },
    /** Resolves when the log entries of written products are stored. */
    settled: () => log.settled(),
  }
}

interface FillOptions<Outcomes> {
  readonly look: boolean
  readonly again: boolean
  readonly now: Date
  readonly known: Outcomes
  readonly pause: (() => Promise<void>) | undefined
}

const REFUSED = 'the search engine rejected the product'
