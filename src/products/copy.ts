import type { CatalogScope } from '../catalogs/store.ts'
import { Conflict, Invalid, ignoring, NotFound } from '../errors.ts'
import type { Context } from '../operation.ts'
import { copyPatch } from './copy-patch.ts'
import { applyPatch } from './patch.ts'
import { readPart } from './product-documents.ts'
import { type ChangeOrigin, changeProduct, createProduct } from './store.ts'

interface Copy {
  readonly id: string
  readonly from: CatalogScope
  readonly to: CatalogScope
  /** The version of the product in the target. With it, none is created. */
  readonly ifMatch?: string | undefined
}

/**
 * Creates or updates the product with this id in another catalog. Returns whether it changed.
 * Throws NotFound, PreconditionFailed, Invalid.
 */
export async function copyProduct(ctx: Context, { id, from, to, ifMatch }: Copy): Promise<boolean> {
  if (from.owner === to.owner && from.name === to.name) {
    throw new Invalid('The source and the target catalog are the same.')
  }
  const { product } = await readPart<'product'>(ctx, from, id, ['product'])
  // All children read the log of a parent's catalog, so it must not show what one of them does.
  const version = from.owner === to.owner ? product.version : null
  const origin: ChangeOrigin = { source: 'copy', copiedFrom: { catalog: from.name, version } }
  const patch = copyPatch(product)
  for (;;) {
    ctx.signal.throwIfAborted()
    const written = await changeProduct(
      ctx,
      to,
      id,
      (document) => ({ ...document, product: applyPatch(document.product, patch) }),
      { ...origin, ifMatch },
    ).catch(ignoring(NotFound))
    if (written) return written.changed
    if (ifMatch !== undefined) throw new NotFound('Product in the target catalog')
    // Undefined if the product was created by someone else in between.
    const created = await createProduct(ctx, to, { id, patch, ...origin }).catch(ignoring(Conflict))
    if (created) return true
  }
}
