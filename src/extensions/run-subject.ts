import { openCatalog } from '../catalogs/store.ts'
import type { Context } from '../operation.ts'
import type { ProductReference } from '../products/product-key.ts'
import {
  readCatalogProducts,
  readProductMembers,
  uniqueReferences,
} from '../products/references.ts'
import { openWorkspace } from '../workspaces/store.ts'
import type { ProductIdentity } from './contract.ts'
import type { Installed } from './installation.ts'
import { identityOf } from './product-identity.ts'
import type { ExtensionRunRequest } from './schemas.ts'

/** The products of a run. */
export interface RunSubject {
  /** The products that its request names. */
  readonly named: readonly ProductReference[]
  /** The products of its workspace, oldest first, including all acknowledged writes. */
  readonly lines: readonly ProductReference[]
  /** The id of the workspace. */
  readonly workspace: string | null
}

/**
 * Finds the products of a run. Those without a catalog are in `catalog`, else the default one.
 * Throws NotFound.
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

const IDENTITY = [
  'id',
  'catalog',
  'manufacturer',
  'manufacturerPartNumber',
  'upcs',
  'name',
] as const

/**
 * Identities of products as sent to an installed extension; missing products are left out.
 * `isWhole` says that the whole products have to fit into one answer.
 */
export async function identitiesOf(
  ctx: Context,
  { settings }: Installed,
  references: readonly ProductReference[],
  { isWhole = false } = {},
): Promise<ProductIdentity[]> {
  const wanted = uniqueReferences(references)
  const { vendor } = settings
  const offers = vendor === null ? [] : (['vendors'] as const)
  const found = isWhole
    ? (await readCatalogProducts(ctx, wanted)).map((one) => one?.product)
    : await readProductMembers(ctx, wanted, [...IDENTITY, ...offers])
  return found.flatMap((one) => (one ? [identityOf(one, vendor)] : []))
}
