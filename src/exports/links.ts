import { addLinks } from '../annotations/changes.ts'
import { changeAnnotations } from '../annotations/store.ts'
import { openCatalog } from '../catalogs/store.ts'
import type { Elastic } from '../elastic/client.ts'
import { Invalid, NotFound } from '../errors.ts'
import type {
  ExtensionLinksRequest,
  ExtensionLinksResponse,
  ExtensionRunResponse,
} from '../extensions/schemas.ts'
import { limits } from '../limits.ts'
import type { Context } from '../operation.ts'
import { type Admission, createAdmission } from '../platform/admission.ts'
import { mapInSteps } from '../platform/in-steps.ts'
import { loadOwner } from '../platform/load-owner.ts'
import { memoizeWeak } from '../platform/memoize-weak.ts'
import { slicesOf } from '../platform/slices.ts'
import { readCatalogProducts } from '../products/references.ts'
import {
  type ProductView,
  type ViewableDocument,
  type Viewer,
  viewerOf,
  viewProduct,
} from '../products/view.ts'
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
  return linksAmong(documents, viewerOf(ctx), types)
}

/** Links as the viewer sees them, product by product, since each may have hundreds. */
export async function linksAmong(
  documents: readonly (ViewableDocument | undefined)[],
  viewer: Viewer,
  types: readonly string[],
): Promise<Link[]> {
  const links = await mapInSteps(documents, (document) =>
    document ? linksIn(viewProduct(document, viewer), types) : [],
  )
  return links.flat()
}

/** The id of a product in another system. */
export interface ExternalProduct {
  readonly catalog: string
  readonly id: string
  readonly externalId: string
}

/** The products of an answer that have an external id. */
export const externalProducts = (products: ExtensionRunResponse['products']): ExternalProduct[] =>
  products.flatMap(({ externalId, ...one }) =>
    externalId === null ? [] : [{ ...one, externalId }],
  )

const LATE_MS = 10_000
/** Products that an instance links at the same time, and those of one organization among others. */
const AT_ONCE = 4
const SHARE = 2

// The request has left its place meanwhile, and may name thousands of products.
const turnsOf = memoizeWeak<Elastic, Admission>(() =>
  createAdmission({
    ...{ capacity: AT_ONCE, share: SHARE, aloneShare: AT_ONCE },
    ...{ waiting: limits.requestsWaiting, ownerWaiting: limits.organizationWaiting },
    what: 'products to link',
  }),
)

/**
 * Links products that a system has already accepted. When storage does not answer, many wait, or
 * the request ends before, they are linked in the background. Returns how many ids were not stored,
 * as far as is known by then.
 */
export async function storeLinksReliably(
  ctx: Context,
  type: string,
  named: readonly ExternalProduct[],
): Promise<number> {
  try {
    return named.length - (await storeLinks(ctx, type, named))
  } catch {
    const signal = AbortSignal.timeout(LATE_MS)
    const work = () =>
      retryUntilCancelled(
        () => signal.aborted,
        () => storeLinks({ ...ctx, signal }, type, named),
      )
    const owner = loadOwner(ctx.organization)
    return ctx.background.run('link exported products', work, owner) ? 0 : named.length
  }
}

/**
 * Links products to their ids in another system; existing links stay. Returns how many ids are
 * stored, without invalid ones and those of products that are gone or have no room for them.
 */
export async function storeLinks(
  ctx: Context,
  type: string,
  named: readonly ExternalProduct[],
): Promise<number> {
  const turns = turnsOf(ctx.elastic)
  const owner = loadOwner(ctx.organization)
  const { signal } = ctx
  let linked = 0
  const products = Map.groupBy(named, ({ catalog, id }) => JSON.stringify([catalog, id]))
  for (const slice of slicesOf([...products.values()], AT_ONCE)) {
    const done = slice.map((ids) => turns.run(owner, () => linkProduct(ctx, type, ids), { signal }))
    for (const count of await Promise.all(done)) linked += count
  }
  return linked
}

/** Links one product to all of these ids in one write. Returns how many are stored. */
async function linkProduct(
  ctx: Context,
  type: string,
  ids: readonly ExternalProduct[],
): Promise<number> {
  const values = ids.map(({ externalId }) => externalId.trim())
  // The same limits as in Add Extension Link.
  const valid = values.filter((value) => value !== '' && value.length <= limits.idLength)
  if (valid.length === 0) return 0
  try {
    const links = valid.map((value) => ({ type, value, recommended: false }))
    const { catalog, id } = ids[0]!
    await changeAnnotations(ctx, { catalog, id }, addLinks(links))
    return valid.length
  } catch (error) {
    if (error instanceof NotFound || error instanceof Invalid) return 0
    throw error
  }
}
