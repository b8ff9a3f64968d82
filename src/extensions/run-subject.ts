import { openCatalog } from '../catalogs/store.ts'
import type { Context } from '../operation.ts'
import { type Reference, readDocuments, unique } from '../products/references.ts'
import { openWorkspace } from '../workspaces/store.ts'
import type { ProductIdentity } from './contract.ts'
import { identityOf } from './identity.ts'
import type { Installed } from './installation.ts'
import type { ExtensionRunRequest } from './wire.ts'

/** What a run of an extension is about. */
export interface RunSubject {
  /** The products that its request names. */
  readonly named: readonly Reference[]
  /** Those of its workspace, the first added first, as acknowledged writes have left it. */
  readonly lines: readonly Reference[]
  /** The id of the workspace. */
  readonly workspace: string | null
}

/**
 * Finds what a run is about; a product without a catalog is in `catalog`, else in the default one.
 * Throws NotFound for a workspace, or for that catalog.
 */
export async function runSubject(
  ctx: Context,
  { products, workspace }: Pick<ExtensionRunRequest, 'products' | 'workspace'>,
  catalog: string | null = null,
): Promise<RunSubject> {
  const [named, opened] = await Promise.all([
    Promise.all(
      products.map(async (one) => ({
        catalog: one.catalog ?? (await openCatalog(ctx, catalog)).name,
        productId: one.id,
      })),
    ),
    workspace === null ? null : openWorkspace(ctx, workspace),
  ])
  return { named, lines: opened?.items ?? [], workspace: opened?.id ?? null }
}

/** Products as an installed extension is asked about them; those that there are not are left out. */
export async function identitiesOf(
  ctx: Context,
  { settings }: Installed,
  references: readonly Reference[],
): Promise<ProductIdentity[]> {
  const documents = await readDocuments(ctx, unique(references))
  return documents.flatMap((one) => (one ? [identityOf(one.product, settings.vendor)] : []))
}
