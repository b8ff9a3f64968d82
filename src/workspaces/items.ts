import { NotFound } from '../errors.ts'
import type { Context } from '../operation.ts'
import type { Product } from '../products/product.ts'
import { type Details, detailsBy, lineId, withAddition, withDetails } from './lines.ts'
import { itemKey } from './places.ts'
import { checkRoom } from './room.ts'
import type { WorkspaceDocument } from './workspace.ts'
import { changeItem } from './writer.ts'

/** Adds a product, or changes its line as far as `details` say something. Answers the item's id. */
export async function addItem(
  ctx: Context,
  workspace: WorkspaceDocument,
  { product, details }: { product: Product; details: Details },
): Promise<string> {
  const id = lineId(product.catalog, product.id)
  const { username } = ctx.caller
  const addition = { workspace: workspace.id, username, product, details, now: ctx.clock.now() }
  await changeItem(ctx, itemKey(workspace.id, id), async (line) => {
    if (!line) await checkRoom(ctx, { kind: 'item', workspace: workspace.id, added: 1 })
    return withAddition(line, addition)
  })
  return id
}

/** Throws NotFound, Forbidden for a price that the caller may not say. */
export const updateItem = (
  ctx: Context,
  workspace: WorkspaceDocument,
  id: string,
  details: Details,
): Promise<void> =>
  changeItem(ctx, itemKey(workspace.id, id), (line) => {
    if (!line) throw new NotFound('Workspace item')
    return withDetails(line, detailsBy(ctx.caller, details))
  })

/** Throws NotFound. */
export const deleteItem = (ctx: Context, workspace: WorkspaceDocument, id: string): Promise<void> =>
  changeItem(ctx, itemKey(workspace.id, id), (line) => {
    if (!line) throw new NotFound('Workspace item')
    return undefined
  })
