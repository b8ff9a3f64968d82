import { Invalid, NotFound } from '../errors.ts'
import type { RunRequest } from '../extensions/contract.ts'
import { type Installed, isFor } from '../extensions/installation.ts'
import { identitiesOf, runSubject } from '../extensions/run-subject.ts'
import type { ExtensionRunRequest } from '../extensions/schemas.ts'
import type { Context } from '../operation.ts'

/**
 * The request of a run about the products that are named, else about the lines of the workspace, the
 * newest first. Throws Invalid, and NotFound for a catalog or a workspace, or when no named product
 * is there.
 */
export async function requestOf(
  ctx: Context,
  installed: Installed,
  body: ExtensionRunRequest,
): Promise<RunRequest> {
  const { named, lines, workspace } = await runSubject(ctx, body)
  const isNamed = named.length > 0
  const references = isNamed ? named : lines.toReversed()
  const allowed = references.filter(({ catalog }) => isFor(installed, catalog))
  if (isNamed && allowed.length < references.length) {
    throw new Invalid('products: the extension is not installed for each of their catalogs')
  }
  const products = await identitiesOf(ctx, installed, allowed)
  if (isNamed && products.length === 0) throw new NotFound('Product')
  return { additionalFields: body.additionalFields, products, workspace }
}
