import { openCatalog } from '../catalogs/store.ts'
import { Invalid } from '../errors.ts'
import { type Reference, referencesIn, unique } from '../extensions/references.ts'
import type { ExtensionRunRequest } from '../extensions/wire.ts'
import { limits } from '../limits.ts'
import type { Context } from '../operation.ts'
import { readDocuments } from '../workspaces/reading.ts'
import { openWorkspace } from '../workspaces/store.ts'
import type { Asked } from './vendor.ts'

/** A product that a request names, with what there is of it. */
export interface Named {
  readonly catalog: string
  readonly id: string
  /** Undefined where the caller sees none. */
  readonly asked: Asked | undefined
}

/** What a run is about. */
export interface Subject {
  readonly products: readonly Named[]
  /** The id of its workspace. */
  readonly workspace: string | null
}

/**
 * The products that a request names, and those of its workspace, each once and in that order.
 * Throws Invalid for none or too many, NotFound for a catalog or workspace that there is not.
 */
export async function subjectOf(
  ctx: Context,
  { products, workspace }: Pick<ExtensionRunRequest, 'products' | 'workspace'>,
): Promise<Subject> {
  if (products.length === 0 && workspace === null) {
    throw new Invalid('products: name at least one, or a workspace')
  }
  const [own, opened] = await Promise.all([
    Promise.all(
      products.map(
        async ({ catalog, id }): Promise<Reference> => ({
          catalog: (await openCatalog(ctx, catalog)).name,
          productId: id,
        }),
      ),
    ),
    workspace === null ? null : openWorkspace(ctx, workspace),
  ])
  const lines = opened ? await referencesIn(ctx, opened.id) : []
  const wanted = unique([...own, ...lines])
  if (wanted.length > limits.idsPerRequest) {
    throw new Invalid(`products: more than ${limits.idsPerRequest} with those of the workspace`)
  }
  const found = await readDocuments(ctx, wanted)
  return {
    products: wanted.map(({ catalog, productId }, at) => ({
      catalog,
      id: productId,
      asked: found[at],
    })),
    workspace: opened?.id ?? null,
  }
}
