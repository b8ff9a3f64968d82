import { setTimeout } from 'node:timers/promises'
import type { Elastic } from '../elastic/client.ts'
import type { Stored } from '../elastic/collection.ts'
import { Conflict, Stale, Unavailable } from '../errors.ts'
import { limits } from '../limits.ts'
import type { Context } from '../operation.ts'
import { type Batches, createBatches } from '../platform/batches.ts'
import { itemOf } from './lines.ts'
import { itemsOf, settled } from './places.ts'
import type { ItemDocument, Line } from './workspace.ts'

const JITTER_MS = 40

/** The line after a change; undefined removes it. May throw: the line then stays as it is. */
export type Change = (line: Line | undefined) => Line | undefined | Promise<Line | undefined>

interface Waiting {
  readonly change: Change
  readonly signal: AbortSignal
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

// One queue a service, so that several services in one process stay as separate as elsewhere.
const queues = new WeakMap<Elastic, Batches<Waiting>>()

function queueOf(elastic: Elastic): Batches<Waiting> {
  const queue = queues.get(elastic) ?? createBatches<Waiting>()
  queues.set(elastic, queue)
  return queue
}

/**
 * Brings one item to what `change` makes of it. Changes that meet in this instance become one
 * write; between instances they are applied anew until nobody was faster or time is up.
 */
export function changeItem(ctx: Context, key: string, change: Change): Promise<void> {
  const { signal, organization } = ctx
  signal.throwIfAborted()
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const expire = () => reject(signal.reason)
  signal.addEventListener('abort', expire, { once: true })
  const place = itemsOf(ctx, organization.id).documentId(key)
  const waiting = { change, signal, resolve, reject }
  queueOf(ctx.elastic).add(place, waiting, (batch) => fulfil(ctx, key, batch))
  return promise.finally(() => signal.removeEventListener('abort', expire))
}

async function fulfil(first: Context, key: string, batch: readonly Waiting[]): Promise<void> {
  // Not the first one's deadline, since others wait too; theirs all end before this one.
  const ctx = { ...first, signal: AbortSignal.timeout(limits.requestMs) }
  for (;;) {
    const open = batch.filter(({ signal }) => !signal.aborted)
    if (open.length === 0) return
    try {
      return await write(ctx, key, open)
    } catch (error) {
      if (!(error instanceof Stale)) {
        for (const { reject } of open) reject(error)
        return
      }
    }
    await setTimeout(Math.random() * JITTER_MS)
  }
}

/** Applies what can be applied, stores it, then tells everybody. Throws Stale. */
async function write(ctx: Context, key: string, open: readonly Waiting[]): Promise<void> {
  const { signal } = ctx
  const found = await itemsOf(ctx, ctx.organization.id).get(key, { signal })
  const { at, line } = await settled(ctx, found)
  let next = line
  const tell: (() => void)[] = []
  for (const { change, resolve, reject } of open) {
    try {
      next = await change(next)
      tell.push(resolve)
    } catch (error) {
      tell.push(() => reject(error))
    }
  }
  if (next !== line) await store(ctx, key, { at, next })
  for (const one of tell) one()
}

interface Result {
  readonly at: Stored<ItemDocument> | undefined
  readonly next: Line | undefined
}

async function store(ctx: Context, key: string, { at, next }: Result): Promise<void> {
  const { signal } = ctx
  const items = itemsOf(ctx, ctx.organization.id)
  try {
    if (next === undefined) await items.remove(key, { at: at!, signal })
    else if (at) await items.replace(key, itemOf(next), at, { signal })
    else await items.create(key, itemOf(next), { signal })
  } catch (error) {
    if (error instanceof Conflict) throw new Stale()
    if (!(error instanceof Unavailable)) throw error
    // No answer does not mean that nothing was stored: what is there now tells.
    const now = await items.get(key, { signal })
    if (!isResult(now?.source, next)) throw error
  }
}

const isResult = (stored: ItemDocument | undefined, next: Line | undefined): boolean =>
  next === undefined
    ? stored === undefined
    : stored !== undefined &&
      stored.batch === null &&
      stored.quantity === next.quantity &&
      stored.price === next.price &&
      stored.added === next.added
