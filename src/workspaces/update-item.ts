import { NotFound } from '../errors.ts'
import type { Context } from '../operation.ts'
import { withItemDetails } from './changes.ts'
import { detailsBy } from './items.ts'
import { goesByList, type RequestedDetails, withListedLines } from './listed-lines.ts'
import { changeWorkspaceCalled, openWorkspace } from './store.ts'

interface ItemUpdate {
  readonly id: string
  readonly details: RequestedDetails
}

/** Changes quantity or price of an item. Throws NotFound, Invalid, Forbidden. */
export async function updateItem(ctx: Context, name: string, update: ItemUpdate): Promise<void> {
  const { id, details } = update
  const lines = goesByList(ctx, details) ? await linesOf(ctx, name, update) : undefined
  const said = detailsBy(ctx.caller, { ...details, lines })
  await changeWorkspaceCalled(ctx, name, (current) => withItemDetails(current, id, said))
}

/**
 * The lines of the price list for an item. Undefined when there is no such item or its product is
 * gone, even if another one has its id now; the price then stays.
 */
async function linesOf(ctx: Context, name: string, { id, details }: ItemUpdate) {
  const { items } = await openWorkspace(ctx, name)
  const item = items.find((one) => one.id === id)
  if (!item) return undefined
  const [found] = await withListedLines(ctx, [{ ...item, details }])
  const product = found?.document?.product
  if (product && product.created === item.productCreated) return found.lines
  if (details.priceList !== undefined) throw new NotFound('Product')
  return undefined
}
