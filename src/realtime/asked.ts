import { openCatalog } from '../catalogs/store.ts'
import { multiGet } from '../elastic/multi-get.ts'
import { Invalid } from '../errors.ts'
import type { ExtensionRunRequest } from '../extensions/wire.ts'
import { limits } from '../limits.ts'
import type { Context } from '../operation.ts'
import { productsOf } from '../products/documents.ts'
import { token } from '../text.ts'
import { openCatalogs, readLines, refreshWorkspaces } from '../workspaces/reading.ts'
import { openWorkspace } from '../workspaces/store.ts'
import type { Asked } from './vendor.ts'

/** A product that a request names, with what there is of it. */
export interface Named {
  readonly catalog: string
  readonly id: string
  /** Undefined where the caller sees none. */
  readonly asked: Asked | undefined
}

/**
 * The products that a request names, and those of its workspace, each once and in that order.
 * Throws Invalid for none or too many, NotFound for a catalog or workspace that there is not.
 */
export async function namedProducts(
  ctx: Context,
  { products, workspace }: Pick<ExtensionRunRequest, 'products' | 'workspace'>,
): Promise<Named[]> {
  if (products.length === 0 && workspace === null) {
    throw new Invalid('products: name at least one, or a workspace')
  }
  const [own, lines] = await Promise.all([
    Promise.all(
      products.map(async ({ catalog, id }) => ({
        catalog: (await openCatalog(ctx, catalog)).name,
        id,
      })),
    ),
    workspace === null ? [] : linesOf(ctx, workspace),
  ])
  const wanted = [...own, ...lines]
  const once = [...new Map(wanted.map((one) => [token(one.catalog, one.id), one])).values()]
  if (once.length > limits.idsPerRequest) {
    throw new Invalid(`products: more than ${limits.idsPerRequest} with those of the workspace`)
  }
  return read(ctx, once)
}

async function linesOf(ctx: Context, workspace: string) {
  const [{ id }] = await Promise.all([openWorkspace(ctx, workspace), refreshWorkspaces(ctx)])
  const lines = await readLines(ctx, [id])
  return lines.map(({ catalog, productId }) => ({ catalog, id: productId }))
}

async function read(ctx: Context, wanted: readonly Omit<Named, 'asked'>[]): Promise<Named[]> {
  const catalogs = await openCatalogs(
    ctx,
    wanted.map(({ catalog }) => catalog),
  )
  const known = wanted.flatMap(({ catalog, id }, at) => {
    const scope = catalogs.get(catalog)
    return scope ? [{ at, scope, from: productsOf(ctx, scope), id }] : []
  })
  const found = await multiGet(ctx.elastic, known, { source: ['product'], signal: ctx.signal })
  const named: Named[] = wanted.map((one) => ({ ...one, asked: undefined }))
  for (const [place, { at, scope }] of known.entries()) {
    const product = found[place]?.product
    if (product) named[at] = { ...named[at]!, asked: { scope, product } }
  }
  return named
}
