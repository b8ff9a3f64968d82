import { pagesWithinBytes } from '../elastic/byte-limited-search.ts'
import { limits } from '../limits.ts'
import type { Context } from '../operation.ts'
import { slicesOf } from '../platform/slices.ts'
import { readCatalogProducts } from '../products/references.ts'
import { type ProductView, viewerOf, viewProduct, viewSource } from '../products/view.ts'
import type { ExportSelection } from './job.ts'
import { inOrderOfIds, openSelection, type PagePosition } from './selected-products.ts'

/** Products that are read first, as long as their size is not known. */
export const FIRST_PORTION = 8
/** Products that are read at once, at most. */
const LARGEST_PORTION = 50
/** Bounds the memory, whatever the size of products. */
export const PORTION_BYTES = limits.readBytes / 2

/** The number of products to read next, at most `most`, if `count` of the last ones had `bytes`. */
export function fittingPortion(count: number, bytes: number, most = LARGEST_PORTION): number {
  const fitting = Math.floor((count * PORTION_BYTES) / Math.max(1, bytes))
  return Math.max(1, Math.min(most, fitting))
}

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
  const chosen = products.slice(exported, exported + size)
  for (const slice of slicesOf(chosen, Math.min(LARGEST_PORTION, first))) {
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
  const _source = viewSource(viewer.organization)
  const body = { ...inOrderOfIds(query, after), _source, size }
  const pages = pagesWithinBytes(products, body, {
    most: Infinity,
    first,
    largest: LARGEST_PORTION,
  })
  for await (const documents of pages) yield documents.map((one) => viewProduct(one, viewer))
}

/** The products at a position, at most `size`, and fewer when they are large; none at the end. */
export async function nextPortion(
  ctx: Context,
  selection: ExportSelection,
  position: PagePosition,
): Promise<PagePortion> {
  const portions = readPortions(ctx, selection, { ...position, first: position.size })
  const { value } = await portions.next()
  return value ?? []
}

/** What was kept of the products of a page. */
export interface ProductPage<T> {
  readonly products: readonly T[]
  /** Number of products that were read, including those that no longer exist. */
  readonly seen: number
  readonly last: boolean
}

/**
 * One page, of whose products only what `keep` returns is held. Throws NotFound when the catalog is
 * gone.
 */
export async function readPage<T>(
  ctx: Context,
  selection: ExportSelection,
  { size, ...position }: PagePosition,
  keep: (product: ProductView) => T,
): Promise<ProductPage<T>> {
  const products: T[] = []
  let seen = 0
  // One more product tells whether another page follows.
  const all = { ...position, size: size + 1, first: FIRST_PORTION }
  for await (const portion of readPortions(ctx, selection, all)) {
    for (const product of portion) {
      if (seen === size) return { products, seen, last: false }
      if (product) products.push(keep(product))
      seen++
    }
  }
  return { products, seen, last: true }
}
