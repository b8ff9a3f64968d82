import { type CatalogScope, openCatalog } from '../catalogs/store.ts'
import { getDocuments } from '../elastic/get-documents.ts'
import { ignoring, NotFound } from '../errors.ts'
import type { Context } from '../operation.ts'
import type { Product, ProductDocument } from './product.ts'
import { productsOf } from './product-documents.ts'
import { type ProductReference, productKey } from './product-key.ts'
import { viewSource } from './view.ts'

/** A stored product, and the catalog that it is in. */
export type CatalogProduct = Pick<ProductDocument, 'product' | 'listPrices'> & {
  readonly scope: CatalogScope
}

/** Removes duplicates, keeping the first occurrence. */
export const uniqueReferences = (references: readonly ProductReference[]): ProductReference[] => [
  ...new Map(references.map((one) => [productKey(one), one])).values(),
]

/** Opens catalogs by name; undefined for those that the caller may not read. */
async function openCatalogs(ctx: Context, names: Iterable<string>) {
  const active = ctx.caller.keyType === 'search'
  const opened = await Promise.all(
    [...new Set(names)].map(async (name) => {
      const scope = await openCatalog(ctx, name, { active }).catch(ignoring(NotFound))
      return [name, scope] as const
    }),
  )
  return new Map(opened)
}

/**
 * Reads stored products in the order of `wanted` with one request; undefined for those that the
 * caller does not see. `more` lists `_source` paths besides those that a view needs.
 */
export const readCatalogProducts = (
  ctx: Context,
  wanted: readonly ProductReference[],
  more: readonly string[] = [],
): Promise<(CatalogProduct | undefined)[]> =>
  readParts(ctx, wanted, { source: [...viewSource(ctx.organization.id), ...more] })

/** The same products, of which only these members are read, among them `id`. */
export const readProductMembers = async <K extends keyof Product>(
  ctx: Context,
  wanted: readonly ProductReference[],
  members: readonly K[],
): Promise<(Pick<Product, K> | undefined)[]> =>
  (await readParts(ctx, wanted, { source: members.map((name) => `product.${name}`) })).map(
    (found) => found?.product,
  )

/** The same for the first products of `wanted` that fit into one answer. */
export const readFirstCatalogProducts = (
  ctx: Context,
  wanted: readonly ProductReference[],
): Promise<(CatalogProduct | undefined)[]> =>
  readParts(ctx, wanted, { source: viewSource(ctx.organization.id), isPartial: true })

/** Whether searches of the caller can find each of these products. */
export const areVisible = async (
  ctx: Context,
  wanted: readonly ProductReference[],
): Promise<boolean[]> =>
  (await readProductMembers(ctx, wanted, ['id', 'hidden'])).map(
    (found) => found !== undefined && !found.hidden,
  )

async function readParts(
  ctx: Context,
  wanted: readonly ProductReference[],
  options: { readonly source: readonly string[]; readonly isPartial?: boolean },
): Promise<(CatalogProduct | undefined)[]> {
  const catalogs = await openCatalogs(
    ctx,
    wanted.map(({ catalog }) => catalog),
  )
  const known = wanted.flatMap(({ catalog, productId }, at) => {
    const scope = catalogs.get(catalog)
    return scope ? [{ at, scope, reference: productsOf(ctx, scope).reference(productId) }] : []
  })
  const found = await getDocuments<ProductDocument>(
    ctx.elastic,
    known.map(({ reference }) => reference),
    { ...options, signal: ctx.signal },
  )
  const end = known[found.length]?.at ?? wanted.length
  const products: (CatalogProduct | undefined)[] = wanted.slice(0, end).map(() => undefined)
  for (const [place, { at, scope }] of known.slice(0, found.length).entries()) {
    const document = found[place]?._source
    if (document) products[at] = { ...document, scope }
  }
  return products
}
