import { v7 as uuidv7 } from 'uuid'
import { type BulkItem, bulk } from '../elastic/bulk.ts'
import type { Stored } from '../elastic/collection.ts'
import { Stale, Unavailable } from '../errors.ts'
import type { Context } from '../operation.ts'
import { whileStale } from '../platform/retry.ts'
import { checkBatchRoom } from './batch-room.ts'
import { type Addition, itemOf, lineId, withAddition } from './lines.ts'
import { itemKey, itemsOf, settled } from './places.ts'
import { checkRoom } from './room.ts'
import { settleBatch } from './settle.ts'
import { inTurn } from './turns.ts'
import { decide } from './verdicts.ts'
import type { ItemDocument, Line, WorkspaceDocument } from './workspace.ts'

export type Wanted = Pick<Addition, 'product' | 'details'>

/** An item that a batch writes. */
interface BatchLine {
  readonly key: string
  readonly at: Stored<ItemDocument> | undefined
  readonly before: Line | undefined
  readonly next: Line
}

/** Adds different products, all or none. Throws Invalid. */
export function addItems(
  ctx: Context,
  workspace: WorkspaceDocument,
  wanted: readonly Wanted[],
): Promise<void> {
  // After the answer there is no deadline: what was begun is brought to its end.
  const { signal, ...services } = ctx
  const attempt = async () => {
    const lines = await prepare(ctx, workspace, wanted)
    const place = {
      organization: ctx.organization.id,
      workspace: workspace.id,
      batch: uuidv7(),
    }
    try {
      await write(ctx, lines, place.batch)
      if (lines.some(({ before }) => !before)) await checkBatchRoom(ctx, place)
      if ((await decide(ctx, place, 'kept')) === 'dropped') throw new Stale()
    } catch (error) {
      ctx.background.run('drop a batch', async () => {
        await decide(services, place, 'dropped')
        await settleBatch(services, place)
      })
      throw error
    }
    ctx.background.run('settle a batch', () => settleBatch(services, place))
  }
  // A few at once in an instance: many that meet would only get in each other's way.
  return whileStale(signal, () => inTurn(ctx, workspace.id, attempt))
}

/** Throws Stale while another batch is being written to one of the items. */
async function prepare(
  ctx: Context,
  { id: workspace }: WorkspaceDocument,
  wanted: readonly Wanted[],
): Promise<BatchLine[]> {
  const { signal, organization, caller, clock } = ctx
  const shared = { workspace, username: caller.username, now: clock.now() }
  const keyed = wanted.map(({ product, details }, position) => ({
    key: itemKey(workspace, lineId(product.catalog, product.id)),
    addition: { ...shared, product, details, position },
  }))
  // In one order, so that of two batches that meet one goes through.
  keyed.sort((a, b) => (a.key < b.key ? -1 : 1))
  const keys = keyed.map(({ key }) => key)
  const found = await itemsOf(ctx, organization.id).getMany(keys, { signal })
  const lines: BatchLine[] = []
  for (const [index, { key, addition }] of keyed.entries()) {
    const { at, line } = await settled(ctx, found[index])
    lines.push({ key, at, before: line, next: withAddition(line, addition) })
  }
  const added = lines.filter(({ before }) => before === undefined).length
  if (added > 0) await checkRoom(ctx, { kind: 'item', workspace, added })
  return lines
}

/** Throws Stale when somebody changed one of the items meanwhile. */
async function write(ctx: Context, lines: readonly BatchLine[], batch: string): Promise<void> {
  const since = ctx.clock.now().toISOString()
  const results = await bulk(
    ctx.elastic,
    lines.map((line) => bulkItem(ctx, line, { batch, since })),
    { signal: ctx.signal },
  )
  if (results.some(({ status }) => status === 409)) throw new Stale()
  if (results.some(({ error }) => error)) {
    throw new Unavailable('The items could not be stored now. Try again shortly.')
  }
}

function bulkItem(
  ctx: Context,
  { key, at, before, next }: BatchLine,
  { batch, since }: { batch: string; since: string },
): BulkItem {
  const { place, documentId } = itemsOf(ctx, ctx.organization.id)
  const _index = ctx.elastic.indexName(place.kind)
  const target = { _index, _id: documentId(key), routing: place.routing }
  const action = at
    ? { index: { ...target, if_seq_no: at.seqNo, if_primary_term: at.primaryTerm } }
    : { create: target }
  const item = itemOf(next, { batch, before: before ?? null, since })
  return {
    action: JSON.stringify(action),
    document: JSON.stringify({ scope: place.scope, ...item }),
  }
}
