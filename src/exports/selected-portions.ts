import { fittingPages } from '../elastic/find-fitting.ts'
import type { Context } from '../operation.ts'
import { slicesOf } from '../platform/slices.ts'
import { readCatalogProducts } from '../products/references.ts'
import { type ProductView, viewerOf, viewProduct } from '../products/view.ts'
import type { ExportSelection } from './job.ts'
import { inOrderOfIds, openSelection, type PagePosition } from './selected-products.ts'

/** Chosen products that are read at once. */
const CHOSEN = 8
/** Products of a catalog that are searched at once. */
const SEARCHED = 50

/** The position of a page, and how many of its products to read first. */
export interface PortionsPosition extends PagePosition {
  readonly first: number
}

/** Products as the caller sees them; undefined for those that no longer exist. */
export type PagePortion = readonly (ProductView | undefined)[]

/**
 * The products of a page in small portions, which are read as they are needed. Throws NotFound
 * when the catalog is gone.
 */
export const readPortions = (
  ctx: Context,
  { products, ...searched }: ExportSelection,
  position: PortionsPosition,
): AsyncGenerator<PagePortion> =>
  products ? chosenPortions(ctx, products, position) : catalogPortions(ctx, searched, position)

async function* chosenPortions(
  ctx: Context,
  products: NonNullable<ExportSelection['products']>,
  { exported, size, first }: PortionsPosition,
): AsyncGenerator<PagePortion> {
  const viewer = viewerOf(ctx)
  for (const slice of slicesOf(
    products.slice(exported, exported + size),
    Math.min(CHOSEN, first),
  )) {
    const documents = await readCatalogProducts(
      ctx,
      slice.map(({ catalog, id }) => ({ catalog, productId: id })),
    )
    yield documents.map((document) => document && viewProduct(document, viewer))
  }
}

async function* catalogPortions(
  ctx: Context,
  searched: Omit<ExportSelection, 'products'>,
  { mode, after, size, first }: PortionsPosition,
): AsyncGenerator<PagePortion> {
  const { products, viewer, query } = await openSelection(ctx, searched, { mode })
  const body = { ...inOrderOfIds(viewer, query, after), size }
  const pages = fittingPages(products, body, { most: Infinity, first, largest: SEARCHED })
  for await (const documents of pages) yield documents.map((one) => viewProduct(one, viewer))
}
