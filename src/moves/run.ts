import { setTimeout } from 'node:timers/promises'
import { MOVING_WRITE_MS, WRITE_MS } from '../catalogs/index-location.ts'
import { type CatalogDocument, catalogsOf } from '../catalogs/store.ts'
import { createOwnIndex } from '../elastic/create-own-index.ts'
import { ownIndexOf } from '../elastic/own-index.ts'
import { rootOf } from '../platform/load-owner.ts'
import { enterBackground } from '../tasks/background-admission.ts'
import { createBackoff, Interrupted, retryUntilCancelled } from '../tasks/backoff.ts'
import { noRowCounts, type Outcome, type TaskRun, type TaskRunContext } from '../tasks/task.ts'
import {
  type CopiedCatalog,
  type CopiedUpTo,
  copyChanged,
  countLacking,
  countProducts,
  isReplicatedLikeSource,
  removeGone,
} from './copy.ts'
import type { MoveCheckpoint, MoveJob } from './job.ts'
import { beginMove, CatalogDeleted, checkMover, enterPhase, type Mover } from './marks.ts'

/** Products that may be copied while writes wait, after the first pass. */
const LAST_PASS = 500
/** Maximum products of a catalog whose ids are compared while writes wait. */
const COMPARED_SEALED = 20_000
/** Attempts after which ids are compared while writes wait, however many there are. */
const PATIENT = 5
const ALMOST = 99

/** Moves a catalog to another index, from its beginning or from where an earlier run ended. */
export const runMove: TaskRun = async (run) => {
  try {
    return await perform(run)
  } catch (error) {
    if (error instanceof Interrupted && run.resumesLater()) return { status: 'stopped' }
    if (error instanceof Interrupted) return cancelled('Cancelled. The catalog stays in its index.')
    if (error instanceof CatalogDeleted) return cancelled('The catalog was deleted.')
    throw error
  }
}

const cancelled = (message: string): Outcome => ({ status: 'cancelled', message })

async function perform(run: TaskRunContext): Promise<Outcome> {
  const { ctx, task, isCancelled } = run
  const job = task.input as MoveJob
  const mover = { task: task.id, fence: task.lease?.fence ?? 0 }
  const to = job.shards > 0 ? ownIndexOf(task.id, job.shards) : null
  const patience = createBackoff(isCancelled)
  for (;;) {
    const document = (await catalogsOf(ctx, job.root).get(job.name))?.source
    if (!document || document.deleted) throw new CatalogDeleted()
    if (isMoved(document, job, task.id)) return completed(task.counts.processed)
    const move = await beginMove(ctx, job, mover, to)
    if (move) {
      const catalog = { owner: document.owner, name: job.name, from: move.from, to: move.to }
      return completed(await carryOver(run, { job, mover, catalog }))
    }
    run.progress({ message: 'Waiting for an earlier move to be cleaned up.' })
    await patience.wait()
  }
}

/**
 * Whether the products are in the target already. An earlier run may have been killed after its
 * last write, or may end only now.
 */
const isMoved = ({ ownIndex, move }: CatalogDocument, { shards }: MoveJob, task: string) =>
  move?.task === task ? move.phase === 'flipped' : (ownIndex?.shards ?? 0) === shards

const completed = (processed: number): Outcome => ({
  status: 'completed',
  message: 'The catalog was moved to its new index.',
  counts: { ...noRowCounts, processed },
})

/** Doubles with each further pass, so that a move ends even if writes never pause. */
const lastPassAfter = (passes: number): number => LAST_PASS * 2 ** (passes - 1)

/** Copies until nothing is left, then switches searches and writes to the copy. */
async function carryOver(
  run: TaskRunContext,
  { job, mover, catalog }: { job: MoveJob; mover: Mover; catalog: CopiedCatalog },
): Promise<number> {
  const { ctx, task, isCancelled } = run
  const since = performance.now()
  const hold = async () => {
    await checkMover(ctx, job, mover)
    run.assertLease()
  }
  const again = <A>(work: () => Promise<A>) =>
    retryUntilCancelled(isCancelled, async () => {
      await hold()
      return work()
    })
  const { to } = catalog
  if (to) await again(() => createOwnIndex(ctx.elastic, to))
  let upTo: CopiedUpTo = (task.checkpoint as MoveCheckpoint | null)?.upTo ?? null
  const total = await again(() => countProducts(ctx, catalog))
  let processed = task.counts.processed
  const enter = () => enterBackground(ctx, rootOf(ctx.organization))
  // The last pass, during which writes wait, does not queue for places.
  const pass = async (most?: number) => {
    const options = { hold, note, ...(most === undefined ? { enter } : { most }) }
    const done = await again(() => copyChanged(ctx, catalog, upTo, options))
    upTo = done.upTo
    return done.copied
  }
  function note(reached: CopiedUpTo, copied: number) {
    if (isCancelled()) throw new Interrupted()
    upTo = reached
    processed += copied
    run.progress({
      message: 'Copying.',
      checkpoint: { upTo } satisfies MoveCheckpoint,
      counts: { ...noRowCounts, processed },
      percentCompleted: Math.min(ALMOST, Math.floor((100 * processed) / (total + 1))),
    })
  }
  const patience = createBackoff(isCancelled)
  let passes = 0
  for (let attempt = 1; ; ) {
    while ((await pass()) > lastPassAfter(++passes)) if (isCancelled()) throw new Interrupted()
    // New products compensate for deleted ones in the count. The last pass reveals the deleted
    // ones.
    if ((await again(() => countLacking(ctx, catalog))) < 0) {
      await again(() => removeGone(ctx, catalog, hold))
    }
    if (!(await again(() => isReplicatedLikeSource(ctx, catalog)))) {
      run.progress({ message: 'Waiting for the replicas of the new index.' })
      await patience.wait()
      continue
    }
    // Requests that opened the catalog before this move may still write without looking again.
    await setTimeout(Math.max(0, since + WRITE_MS - performance.now()))
    if (isCancelled()) throw new Interrupted()
    run.progress({ message: 'Copying the latest changes.', percentCompleted: ALMOST })
    await again(() => enterPhase(ctx, job, mover, 'sealed'))
    try {
      await setTimeout(MOVING_WRITE_MS)
      const most = lastPassAfter(passes)
      if ((await pass(most)) < most && (await isSame(attempt))) {
        await again(() => enterPhase(ctx, job, mover, 'flipped'))
        return processed
      }
    } catch (error) {
      // Unseal, so that writers do not wait for the next holder of the task.
      await enterPhase(ctx, job, mover, 'copying').catch(() => undefined)
      throw error
    }
    await again(() => enterPhase(ctx, job, mover, 'copying'))
    attempt++
  }

  /**
   * Whether both have the same products. First removes deleted ones from the target, if that is
   * quick.
   */
  async function isSame(attempt: number): Promise<boolean> {
    let lacking = await again(() => countLacking(ctx, catalog))
    if (lacking < 0) {
      if (total > COMPARED_SEALED && attempt < PATIENT) return false
      await again(() => removeGone(ctx, catalog, hold))
      lacking = await again(() => countLacking(ctx, catalog))
    }
    // Nothing is left to copy, so the copy has lost products: copy all of them again.
    if (lacking > 0 && (await pass(LAST_PASS)) === 0) upTo = null
    return lacking === 0
  }
}
