import { logEvents } from '../analytics/events.ts'
import { NotFound } from '../errors.ts'
import type { Context } from '../operation.ts'
import { withAdditions } from './changes.ts'
import { type Addition, detailsBy, itemId } from './items.ts'
import { type WantedProduct, withListedLines } from './listed-lines.ts'
import { changeWorkspace, ensureWorkspace, identifyWorkspace } from './store.ts'

/** Adds a product to a workspace, which is created if needed. Returns the item's id. */
export async function addProduct(
  ctx: Context,
  name: string,
  requested: WantedProduct,
): Promise<string> {
  const additions = await additionsOf(ctx, [requested])
  const workspace = await ensureWorkspace(ctx, name)
  await changeWorkspace(ctx, workspace, (current) => withAdditions(current, additions))
  noteAdditions(ctx, workspace.id, [requested])
  return itemId(requested.catalog, requested.productId)
}

/** Adds all products or none. Throws NotFound, Invalid and Forbidden. */
export async function addProducts(
  ctx: Context,
  name: string,
  requested: readonly WantedProduct[],
): Promise<void> {
  const workspace = await identifyWorkspace(ctx, name)
  const additions = await additionsOf(ctx, requested)
  await changeWorkspace(ctx, workspace, (current) => withAdditions(current, additions))
  noteAdditions(ctx, workspace.id, requested)
}

/**
 * Notes additions for the popularity of products. A product counts once per workspace and month.
 */
function noteAdditions(ctx: Context, workspace: string, requested: readonly WantedProduct[]): void {
  const now = ctx.clock.now()
  const time = now.toISOString()
  logEvents(
    ctx,
    now,
    requested.map(({ catalog, productId }) => ({
      id: `${workspace} ${itemId(catalog, productId)}`,
      event: { kind: 'addition', catalog, product: productId, time },
    })),
  )
}

/** Reads the requested products. Throws NotFound for the first one that does not exist. */
async function additionsOf(ctx: Context, requested: readonly WantedProduct[]): Promise<Addition[]> {
  const found = await withListedLines(ctx, requested)
  const { caller, clock } = ctx
  return requested.map(({ catalog, productId, details }, index) => {
    const { document, lines } = found[index]!
    const product = document?.product
    if (!product)
      throw new NotFound(requested.length === 1 ? 'Product' : `items[${index}]: product`)
    return {
      username: caller.username,
      product: { ...product, id: productId, catalog },
      details: detailsBy(caller, { ...details, lines }),
      now: clock.now(),
    }
  })
}
