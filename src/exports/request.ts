import { openCatalog } from '../catalogs/store.ts'
import { Invalid, NotFound } from '../errors.ts'
import type { ProductIdentity, RunRequest } from '../extensions/contract.ts'
import { identityOf } from '../extensions/identity.ts'
import { type Installed, isFor } from '../extensions/installation.ts'
import { type Reference, referencesIn, unique } from '../extensions/references.ts'
import type { ExtensionRunRequest } from '../extensions/wire.ts'
import type { Context } from '../operation.ts'
import { readDocuments } from '../workspaces/reading.ts'
import { openWorkspace } from '../workspaces/store.ts'

/** A run as it was asked for: its products as extensions see them, and the catalog that it means. */
export interface Asked {
  readonly request: RunRequest
  /** Of products without a catalog, and the one to export where no products are named. */
  readonly catalog: string | null
}

/**
 * Finds what a run is about. Throws Invalid, and NotFound for a catalog or a workspace, or when
 * none of the products is there.
 */
export async function askedOf(
  ctx: Context,
  installed: Installed,
  body: ExtensionRunRequest & { readonly catalog: string | undefined },
): Promise<Asked> {
  const { products, workspace, additionalFields } = body
  if (products.length > 0 && workspace !== null) {
    throw new Invalid('workspace: not together with products')
  }
  const named = body.catalog || installed.settings.catalog
  const isOpen = products.some((one) => one.catalog === null)
  const needed = workspace === null && (products.length === 0 || isOpen)
  const catalog = needed ? (await openCatalog(ctx, named)).name : named
  const opened = workspace === null ? null : await openWorkspace(ctx, workspace)
  const references = opened
    ? await referencesIn(ctx, opened.id)
    : products.map((one) => ({ catalog: one.catalog ?? catalog!, productId: one.id }))
  checkCatalogs(installed, products.length > 0 || opened ? references : [catalog!])
  const found = await identitiesOf(ctx, installed, unique(references))
  if (products.length > 0 && found.length === 0) throw new NotFound('Product')
  const request = { additionalFields, products: found, workspace: opened?.id ?? null }
  return { request, catalog }
}

function checkCatalogs(installed: Installed, wanted: readonly (Reference | string)[]): void {
  for (const one of wanted) {
    const catalog = typeof one === 'string' ? one : one.catalog
    if (isFor(installed, catalog)) continue
    throw new Invalid(`catalog: the extension is not installed for the catalog ${catalog}`)
  }
}

async function identitiesOf(
  ctx: Context,
  { settings }: Installed,
  references: readonly Reference[],
): Promise<ProductIdentity[]> {
  const documents = await readDocuments(ctx, references)
  return documents.flatMap((document) =>
    document ? [identityOf(document.product, settings.vendor)] : [],
  )
}
