import { addLink } from '../annotations/changes.ts'
import { changeAnnotations } from '../annotations/store.ts'
import { openCatalog } from '../catalogs/store.ts'
import { Invalid, NotFound } from '../errors.ts'
import type { ExtensionLinksRequest, ExtensionLinksResponse } from '../extensions/schemas.ts'
import { limits } from '../limits.ts'
import type { Context } from '../operation.ts'
import { slicesOf } from '../platform/slices.ts'
import { readCatalogProducts } from '../products/references.ts'
import { type ProductView, viewerOf, viewProduct } from '../products/view.ts'
import { retryUntilCancelled } from '../tasks/backoff.ts'

type Link = ExtensionLinksResponse['links'][number]

/** The links of a product that are of one of these types. */
const linksIn = (product: ProductView, types: readonly string[]): Link[] =>
  product.links
    .filter(({ type }) => types.includes(type))
    .map(({ type, value }) => ({
      type,
      acId: product.id,
      acCatalog: product.catalog,
      externalId: value,
      link: /^https?:\/\//i.test(value) ? value : null,
      user: null,
    }))

/** Links of products, in the order of the request. Unknown products have none. */
export async function readLinks(
  ctx: Context,
  { products }: ExtensionLinksRequest,
  types: readonly string[],
): Promise<Link[]> {
  if (products.length === 0) return []
  const unnamed = products.some(({ acCatalog }) => acCatalog === null)
  const standard = unnamed ? (await openCatalog(ctx, null)).name : ''
  const documents = await readCatalogProducts(
    ctx,
    products.map(({ acId, acCatalog }) => ({ catalog: acCatalog ?? standard, productId: acId })),
  )
  const viewer = viewerOf(ctx)
  return documents.flatMap((document) =>
    document ? linksIn(viewProduct(document, viewer), types) : [],
  )
}

/** The id of a product in another system. */
export interface ExternalProduct {
  readonly catalog: string
  readonly id: string
  readonly externalId: string
}

/** The products of an answer that have an external id. */
export const externalProducts = (
  products: readonly (Omit<ExternalProduct, 'externalId'> & {
    readonly externalId: string | null
  })[],
): ExternalProduct[] =>
  products.flatMap(({ externalId, ...one }) =>
    externalId === null ? [] : [{ ...one, externalId }],
  )

const AT_ONCE = 8
const LATE_MS = 10_000

/**
 * Links products that a system has already accepted. When storage does not answer, or the request
 * ends before, they are linked in the background.
 */
export async function storeLinksReliably(
  ctx: Context,
  type: string,
  named: readonly ExternalProduct[],
): Promise<void> {
  try {
    await storeLinks(ctx, type, named)
  } catch {
    const signal = AbortSignal.timeout(LATE_MS)
    ctx.background.run('link exported products', () =>
      retryUntilCancelled(
        () => signal.aborted,
        () => storeLinks({ ...ctx, signal }, type, named),
      ),
    )
  }
}

/**
 * Links products to their ids in another system; existing links stay. Returns how many are linked,
 * without products that are gone, have no room for a link, or have an invalid external id.
 */
export async function storeLinks(
  ctx: Context,
  type: string,
  named: readonly ExternalProduct[],
): Promise<number> {
  let linked = 0
  for (const slice of slicesOf(named, AT_ONCE)) {
    const done = await Promise.all(slice.map((one) => storeLink(ctx, type, one)))
    linked += done.filter(Boolean).length
  }
  return linked
}

async function storeLink(ctx: Context, type: string, { catalog, id, externalId }: ExternalProduct) {
  const value = externalId.trim()
  // The same limits as in Add Extension Link.
  if (value === '' || value.length > limits.idLength) return false
  try {
    const link = { type, value, recommended: false }
    await changeAnnotations(ctx, { catalog, id }, addLink(link))
    return true
  } catch (error) {
    if (error instanceof NotFound || error instanceof Invalid) return false
    throw error
  }
}
