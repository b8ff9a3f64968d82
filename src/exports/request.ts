import { openCatalog } from '../catalogs/store.ts'
import { Invalid, NotFound } from '../errors.ts'
import type { RunRequest } from '../extensions/contract.ts'
import { type Installed, isFor } from '../extensions/installation.ts'
import { identitiesOf, runSubject } from '../extensions/run-subject.ts'
import type { ExtensionRunRequest } from '../extensions/schemas.ts'
import type { Context } from '../operation.ts'

/**
 * Finds the products of a run. `catalog` is the catalog of products without one, and the one to
 * export when no products are named. Throws Invalid, and NotFound for a catalog or a workspace, or
 * when none of the products exists.
 */
export async function requestOf(
  ctx: Context,
  installed: Installed,
  body: ExtensionRunRequest & { readonly catalog: string | undefined },
): Promise<{ readonly request: RunRequest; readonly catalog: string | null }> {
  const { products, workspace, additionalFields } = body
  if (products.length > 0 && workspace !== null) {
    throw new Invalid('workspace: cannot be combined with products')
  }
  const usual = body.catalog || installed.settings.catalog
  const isWhole = products.length === 0 && workspace === null
  const isUsual = isWhole || products.some((one) => one.catalog === null)
  const catalog = isUsual ? (await openCatalog(ctx, usual)).name : usual
  const subject = await runSubject(ctx, body, catalog)
  const references = [...subject.named, ...subject.lines]
  for (const name of isWhole ? [catalog!] : references.map((one) => one.catalog)) {
    if (isFor(installed, name)) continue
    throw new Invalid(`catalog: the extension is not installed for the catalog ${name}`)
  }
  // An export holds values of all its products.
  const found = await identitiesOf(ctx, installed, references, { isWhole: true })
  if (products.length > 0 && found.length === 0) throw new NotFound('Product')
  return { request: { additionalFields, products: found, workspace: subject.workspace }, catalog }
}
