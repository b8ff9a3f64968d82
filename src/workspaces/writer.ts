import type { Elastic } from '../elastic/client.ts'
import type { Stored } from '../elastic/collection.ts'
import { Conflict, Stale, Unavailable } from '../errors.ts'
import { limits } from '../limits.ts'
import type { Context } from '../operation.ts'
import {
  applied,
  type ChangeOf,
  type ChangeQueue,
  createChangeQueue,
  type WaitingChange,
} from '../platform/change-queue.ts'
import { perOwner } from '../platform/per-owner.ts'
import { itemOf } from './lines.ts'
import { itemsOf, settled } from './places.ts'
import type { ItemDocument, Line } from './workspace.ts'

type Item = Line | undefined

/** The line after a change; undefined removes it. May throw: the line then stays as it is. */
export type Change = ChangeOf<Item>

const queueOf = perOwner<Elastic, ChangeQueue<Item>>(createChangeQueue)

/**
 * Brings one item to what `change` makes of it. Changes that meet in this instance become one
 * write; between instances they are applied anew until nobody was faster or time is up.
 */
export async function changeItem(first: Context, key: string, change: Change): Promise<void> {
  const { signal, organization, elastic } = first
  const place = itemsOf(first, organization.id).documentId(key)
  await queueOf(elastic).submit(place, { change, signal }, () => {
    // Not the first one's deadline, since others wait too; theirs all end before this one.
    const ctx = { ...first, signal: AbortSignal.timeout(limits.requestMs) }
    return (open) => write(ctx, key, open)
  })
}

/** Applies what can be applied, stores it, then tells everybody. Throws Stale. */
async function write(
  ctx: Context,
  key: string,
  open: readonly WaitingChange<Item>[],
): Promise<void> {
  const { signal } = ctx
  const found = await itemsOf(ctx, ctx.organization.id).get(key, { signal })
  const { at, line } = await settled(ctx, found)
  const { value: next, tell } = await applied(line, open)
  if (next !== line) await store(ctx, key, { at, next })
  tell()
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
