import { Stale } from '../errors.ts'
import { limits } from '../limits.ts'
import type { Context } from '../operation.ts'
import { countingLines, isAbandoned, pendingBatches } from './batches.ts'
import { readItems, refreshWorkspaces } from './reading.ts'
import { full } from './room.ts'
import { type BatchPlace, decide } from './verdicts.ts'

/**
 * Keeps batches that meet within the limit. Each looks after it wrote, so of two at least one sees
 * the other; the one that began first goes on. Throws Invalid, and Stale behind an earlier one.
 */
export async function checkBatchRoom(ctx: Context, place: BatchPlace): Promise<void> {
  await refreshWorkspaces(ctx)
  const found = await readItems(ctx, [place.workspace])
  if (found.length === limits.resultWindow) throw new Stale()
  const pending = pendingBatches(found)
  const others = pending.filter(({ batch }) => batch !== place.batch)
  const own = pending.find(({ batch }) => batch === place.batch)?.added ?? 0
  let room = limits.workspaceItems - countingLines(found).length - own
  if (room < 0) throw full('item')
  if (others.reduce((sum, { added }) => sum + added, 0) <= room) return
  const now = ctx.clock.now()
  if (others.some((one) => one.batch < place.batch && !isAbandoned(one, now))) throw new Stale()
  for (const { batch, added } of others) {
    if ((await decide(ctx, { ...place, batch }, 'dropped')) === 'kept') room -= added
  }
  if (room < 0) throw full('item')
}
