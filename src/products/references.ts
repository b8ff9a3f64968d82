import { type CatalogScope, openCatalog } from '../catalogs/store.ts'
import { multiGet } from '../elastic/multi-get.ts'
import { ignoring, NotFound } from '../errors.ts'
import type { Context } from '../operation.ts'
import type { ProductDocument } from './product.ts'
import { productsOf } from './product-documents.ts'
import { type ProductReference, productKey } from './product-key.ts'
import { viewSource } from './view.ts'

/** A product as it is stored, and the catalog that it is in. */
export type CatalogProduct = Pick<ProductDocument, 'product'> & { readonly scope: CatalogScope }

/** Removes duplicates, keeping the first occurrence. */
export const uniqueReferences = (references: readonly ProductReference[]): ProductReference[] => [
  ...new Map(references.map((one) => [productKey(one), one])).values(),
]

/** The catalogs among these names that the caller may read, by name. */
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

/** Stored products in the order of `wanted`, in one call; undefined where the caller sees none. */
export const readCatalogProducts = (
  ctx: Context,
  wanted: readonly ProductReference[],
): Promise<(CatalogProduct | undefined)[]> =>
  readParts(ctx, wanted, viewSource(ctx.organization.id))

/** Whether the caller finds each of these products. */
export const areVisible = async (
  ctx: Context,
  wanted: readonly ProductReference[],
): Promise<boolean[]> =>
  (await readParts(ctx, wanted, ['product.id', 'product.hidden'])).map(
    (found) => found !== undefined && !found.product.hidden,
  )

async function readParts(
  ctx: Context,
  wanted: readonly ProductReference[],
  source: readonly string[],
): Promise<(CatalogProduct | undefined)[]> {
  const catalogs = await openCatalogs(
    ctx,
    wanted.map(({ catalog }) => catalog),
  )
  const known = wanted.flatMap(({ catalog, productId }, index) => {
    const scope = catalogs.get(catalog)
    return scope ? [{ index, scope, from: productsOf(ctx, scope), id: productId }] : []
  })
  const found = await multiGet(ctx.elastic, known, { source, signal: ctx.signal })
  const documents: (CatalogProduct | undefined)[] = wanted.map(() => undefined)
  for (const [place, { index, scope }] of known.entries()) {
    const document = found[place]
    if (document) documents[index] = { ...document, scope }
  }
  return documents
}
