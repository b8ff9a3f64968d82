import { NotFound } from '../errors.ts'
import type { Context } from '../operation.ts'
import { readDocuments } from '../products/references.ts'
import { addItems } from './batch.ts'
import { addItem } from './items.ts'
import { type Details, detailsBy } from './lines.ts'
import { ensureWorkspace, openWorkspace } from './store.ts'

interface Product {
  readonly catalog: string
  readonly productId: string
  readonly details: Details
}

/** Adds a product to a workspace that is made where there is none. Answers the item's id. */
export async function addProduct(
  ctx: Context,
  name: string,
  { catalog, productId, details }: Product,
): Promise<string> {
  const [product] = await productsFor(ctx, [{ catalog, productId, details }])
  const workspace = await ensureWorkspace(ctx, name)
  return addItem(ctx, workspace, product!)
}

/** Adds all products or none. Throws NotFound, Invalid and Forbidden. */
export async function addProducts(
  ctx: Context,
  name: string,
  wanted: readonly Product[],
): Promise<void> {
  const workspace = await openWorkspace(ctx, name)
  await addItems(ctx, workspace, await productsFor(ctx, wanted))
}

/** The products with what is asked of them; throws NotFound for the first that there is not. */
async function productsFor(ctx: Context, wanted: readonly Product[]) {
  const documents = await readDocuments(ctx, wanted)
  return wanted.map(({ catalog, productId, details }, index) => {
    const product = documents[index]?.product
    if (!product) throw new NotFound(wanted.length === 1 ? 'Product' : `items[${index}]: product`)
    return {
      product: { ...product, id: productId, catalog },
      details: detailsBy(ctx.caller, details),
    }
  })
}
