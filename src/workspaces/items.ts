import type { Collection, Stored } from '../elastic/collection.ts'
import { Conflict, NotFound, Stale, Unavailable } from '../errors.ts'
import type { Context, Services } from '../operation.ts'
import { whileStale } from '../platform/retry.ts'
import type { Product } from '../products/product.ts'
import { token } from '../text.ts'
import { countingLine, isAbandoned } from './batches.ts'
import { type Details, itemOf, lineId, withAddition, withDetails } from './lines.ts'
import { checkRoom } from './room.ts'
import { documentsOf } from './store.ts'
import { decide, readVerdict } from './verdicts.ts'
import type { ItemDocument, Line, WorkspaceDocument } from './workspace.ts'

export const itemKey = (workspace: string, id: string): string => token('item', workspace, id)

export const itemsOf = (
  services: Pick<Services, 'elastic'>,
  organization: string,
): Collection<ItemDocument> => documentsOf<ItemDocument>(services, organization)

/** What is stored of an item, and the line of it that counts. */
interface Place {
  readonly at: Stored<ItemDocument> | undefined
  readonly line: Line | undefined
}

/** Throws Stale while a batch is being written to it. */
export async function settled(ctx: Context, at: Stored<ItemDocument> | undefined): Promise<Place> {
  const batch = at?.source.batch
  if (!at || !batch) return { at, line: at && countingLine(at.source, undefined) }
  const place = { organization: ctx.organization.id, workspace: at.source.workspace, batch }
  const abandoned = isAbandoned(at.source, ctx.clock.now())
  const verdict = abandoned ? await decide(ctx, place, 'dropped') : await readVerdict(ctx, place)
  if (verdict === undefined) throw new Stale()
  return { at, line: countingLine(at.source, verdict) }
}

type Change = (line: Line | undefined) => Line | undefined | Promise<Line | undefined>

/** Brings one item to what `change` makes of it; undefined removes it. Repeated until it fits. */
async function changeItem(
  ctx: Context,
  { id: workspace }: Pick<WorkspaceDocument, 'id'>,
  id: string,
  change: Change,
): Promise<void> {
  const { signal } = ctx
  const items = itemsOf(ctx, ctx.organization.id)
  const key = itemKey(workspace, id)
  await whileStale(signal, async () => {
    const { at, line } = await settled(ctx, await items.get(key, { signal }))
    const next = await change(line)
    if (next === line) return
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
  })
}

const isResult = (stored: ItemDocument | undefined, next: Line | undefined): boolean =>
  next === undefined
    ? stored === undefined
    : stored !== undefined &&
      stored.batch === null &&
      stored.quantity === next.quantity &&
      stored.price === next.price &&
      stored.added === next.added

/** Adds a product, or changes its line as far as `details` say something. Answers the item's id. */
export async function addItem(
  ctx: Context,
  workspace: WorkspaceDocument,
  { product, details }: { product: Product; details: Details },
): Promise<string> {
  const id = lineId(product.catalog, product.id)
  const { username } = ctx.caller
  const addition = { workspace: workspace.id, username, product, details, now: ctx.clock.now() }
  await changeItem(ctx, workspace, id, async (line) => {
    if (!line) await checkRoom(ctx, { kind: 'item', workspace: workspace.id, added: 1 })
    return withAddition(line, addition)
  })
  return id
}

/** Throws NotFound. */
export const updateItem = (
  ctx: Context,
  workspace: WorkspaceDocument,
  id: string,
  details: Details,
): Promise<void> =>
  changeItem(ctx, workspace, id, (line) => {
    if (!line) throw new NotFound('Workspace item')
    return withDetails(line, details)
  })

/** Throws NotFound. */
export const deleteItem = (ctx: Context, workspace: WorkspaceDocument, id: string): Promise<void> =>
  changeItem(ctx, workspace, id, (line) => {
    if (!line) throw new NotFound('Workspace item')
    return undefined
  })
