import { setTimeout } from 'node:timers/promises'
import type { CatalogScope } from '../catalogs/store.ts'
import type { Elastic } from '../elastic/client.ts'
import type { Stored } from '../elastic/collection.ts'
import { Stale, Unavailable } from '../errors.ts'
import { limits } from '../limits.ts'
import type { Services } from '../operation.ts'
import { type Batches, createBatches } from '../platform/batches.ts'
import { perOwner } from '../platform/per-owner.ts'
import { isStored, storeWaiting } from './changes.ts'
import { productsOf, type StoredProduct, withSearch } from './documents.ts'
import { storePoints } from './insights/store.ts'
import { type Changed, missing, type Outcome, plan, type Wish } from './plan.ts'
import type { ProductDocument } from './product.ts'
import { settleLog } from './settle.ts'

const REPEATS_AFTER_SILENCE = 3
const JITTER_MS = 40

/** A wish with the request that waits for it. */
interface Waiting extends Wish {
  readonly signal: AbortSignal
  readonly settle: (outcome: Outcome) => void
}

const queueOf = perOwner<Elastic, Batches<Waiting>>(createBatches)

/** Where one product is. */
export interface Target {
  readonly scope: CatalogScope
  readonly id: string
}

/**
 * Fulfils a wish. Wishes for one product that meet in this instance become one write; between
 * instances a write that finds another version is planned anew until `signal` aborts.
 */
export function submit(
  services: Services,
  target: Target,
  wish: Wish,
  signal: AbortSignal,
): Promise<Changed> {
  signal.throwIfAborted()
  const { promise, resolve, reject } = Promise.withResolvers<Changed>()
  const expire = () => reject(signal.reason)
  signal.addEventListener('abort', expire, { once: true })
  const settle = (outcome: Outcome) => {
    signal.removeEventListener('abort', expire)
    if ('error' in outcome) reject(outcome.error)
    else resolve(outcome)
  }
  const key = productsOf(services, target.scope).documentId(target.id)
  queueOf(services.elastic).add(key, { ...wish, signal, settle }, (batch) =>
    fulfil(services, target, batch),
  )
  return promise
}

async function fulfil(services: Services, target: Target, batch: readonly Waiting[]) {
  const fail = (wishes: readonly Waiting[], error: unknown) => {
    for (const { settle } of wishes) settle({ error })
  }
  let open = batch
  for (let silences = 0; ; ) {
    open = open.filter(({ signal }) => !signal.aborted)
    if (open.length === 0) return
    try {
      const products = productsOf(services, target.scope)
      const at = await products.get(target.id)
      if (!at) return fail(open, missing())
      if (silences > 0) open = await withoutFulfilled(services, target, at, open)
      open = await write(services, target, at, open)
    } catch (error) {
      if (error instanceof Silence) silences++
      else if (!(error instanceof Stale)) return fail(open, error)
      if (silences > REPEATS_AFTER_SILENCE) return fail(open, (error as Silence).cause)
      await setTimeout(Math.random() * JITTER_MS)
    }
  }
}

/** A write whose answer did not come: it may be applied or not. */
class Silence extends Error {}

/** Plans and writes; settles what is decided and answers the wishes that wait for another round. */
async function write(
  services: Services,
  target: Target,
  at: Stored<StoredProduct>,
  wishes: readonly Waiting[],
): Promise<readonly Waiting[]> {
  const before = await withRoom(services, target.scope, at.source)
  const { document, outcomes, deferred, points } = plan(before, wishes, services.clock.now())
  if (document !== before) {
    await storePoints(services, target.scope.owner, points)
    const stored = await productsOf(services, target.scope)
      .replace(target.id, withSearch(target.scope, document), at)
      .catch((error: unknown) => {
        throw error instanceof Unavailable ? new Silence('', { cause: error }) : error
      })
    settleLog(services, target, stored)
  }
  for (const [{ settle }, outcome] of outcomes) settle(outcome)
  return deferred
}

// Under many writes in a row entries pile up, since none of them lets the log be cleared.
async function withRoom(services: Services, { owner }: CatalogScope, document: ProductDocument) {
  if (document.pending.length === 0) return document
  if (JSON.stringify(document.pending).length < limits.pendingBytes) return document
  await storeWaiting(services, owner, [document], { refresh: true })
  return { ...document, pending: [] }
}

/** After a silence: a wish whose entry waits in the document or has gone on to the log is fulfilled. */
async function withoutFulfilled(
  services: Services,
  target: Target,
  at: Stored<StoredProduct>,
  wishes: readonly Waiting[],
): Promise<Waiting[]> {
  const document = at.source
  const left: Waiting[] = []
  for (const wish of wishes) {
    const { entryId } = wish.stamp
    const fulfilled =
      document.pending.some(({ id }) => id === entryId) ||
      (await isStored(services, target.scope.owner, entryId))
    if (fulfilled) wish.settle({ document, changed: true })
    else left.push(wish)
  }
  // A write that follows settles the log itself.
  if (left.length === 0) settleLog(services, target, at)
  return left
}
