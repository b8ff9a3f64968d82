import { openCatalog } from '../catalogs/store.ts'
import { Invalid, NotFound } from '../errors.ts'
import type { RunRequest } from '../extensions/contract.ts'
import { identityOf } from '../extensions/identity.ts'
import { type Installed, isFor } from '../extensions/installation.ts'
import { type Reference, referencesIn, unique } from '../extensions/references.ts'
import type { ExtensionRunRequest } from '../extensions/wire.ts'
import type { Context } from '../operation.ts'
import { readDocuments } from '../workspaces/reading.ts'
import { openWorkspace } from '../workspaces/store.ts'

/**
 * Finds the products of a run: those that are named, else the lines of the workspace, the newest
 * first. Throws Invalid, and NotFound for a catalog or a workspace, or when no named product is there.
 */
export async function askedOf(
  ctx: Context,
  installed: Installed,
  { products, workspace, additionalFields }: ExtensionRunRequest,
): Promise<RunRequest> {
  const [named, opened] = await Promise.all([
    referencesOf(ctx, products),
    workspace === null ? null : openWorkspace(ctx, workspace),
  ])
  const references =
    products.length > 0 || !opened ? named : (await referencesIn(ctx, opened.id)).toReversed()
  const allowed = references.filter(({ catalog }) => isFor(installed, catalog))
  if (allowed.length < references.length && products.length > 0) {
    throw new Invalid('products: the extension is not installed for each of their catalogs')
  }
  const documents = await readDocuments(ctx, unique(allowed))
  const found = documents.flatMap((document) => (document ? [document.product] : []))
  if (products.length > 0 && found.length === 0) throw new NotFound('Product')
  const { vendor } = installed.settings
  return {
    additionalFields,
    products: found.map((product) => identityOf(product, vendor)),
    workspace: opened?.id ?? null,
  }
}

const referencesOf = (ctx: Context, products: ExtensionRunRequest['products']) =>
  Promise.all(
    products.map(async ({ catalog, id }): Promise<Reference> => {
      return { catalog: catalog ?? (await openCatalog(ctx, null)).name, productId: id }
    }),
  )
