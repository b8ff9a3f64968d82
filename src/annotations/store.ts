import { v7 as uuidv7 } from 'uuid'
import { openCatalog } from '../catalogs/store.ts'
import type { Context, RequestFacts } from '../operation.ts'
import { type Annotations, annotationsOf } from '../products/product.ts'
import { readPart } from '../products/product-documents.ts'
import { changeProduct } from '../products/store.ts'
import { type AnnotationChange, annotationChange } from './annotate.ts'

/** A product in a catalog; without `catalog` in the organization's default one. */
export interface ProductKey extends RequestFacts {
  readonly catalog?: string | undefined
  readonly id: string
}

/**
 * Changes the annotations of the organization in effect on a product. The product may belong to its
 * parent, without a role there. Throws NotFound, PreconditionFailed, Invalid for too many bytes.
 */
export async function changeAnnotations(
  ctx: Context,
  { catalog, id, ifMatch }: ProductKey,
  change: AnnotationChange,
): Promise<void> {
  const scope = await openCatalog(ctx, catalog)
  const write = {
    organization: ctx.organization.id,
    id: uuidv7({ msecs: ctx.clock.now().getTime() }),
    change,
    ifMatch,
  }
  await changeProduct(ctx, scope, id, annotationChange(write))
}

/** The annotations of the organization in effect, and the catalog's name. Throws NotFound. */
export async function readAnnotations(
  ctx: Context,
  { catalog, id }: ProductKey,
): Promise<{ annotations: Annotations; catalog: string }> {
  const scope = await openCatalog(ctx, catalog)
  const organization = ctx.organization.id
  const { annotations } = await readPart(ctx, scope, id, [`annotations.${organization}`])
  return { annotations: annotationsOf(annotations, organization), catalog: scope.name }
}
