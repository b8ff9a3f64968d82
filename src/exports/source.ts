import type { ProductNames } from '../formats/writer.ts'
import type { Context } from '../operation.ts'
import { readDocuments } from '../products/references.ts'
import { viewerOf, viewProduct } from '../products/view.ts'
import type { Selection } from './job.ts'
import { namesIn, namesOf } from './names.ts'
import { type Beginning, beginWalk, type Page, type Position, readWalk } from './walk.ts'

const AT_ONCE = 100

/** How many products an export will meet. Throws NotFound when the catalog is gone. */
export async function begin(ctx: Context, selection: Selection): Promise<Beginning> {
  const { products } = selection
  return products ? { total: products.length, mode: 'strict' } : beginWalk(ctx, selection)
}

/** One page of products as the caller sees them. Throws NotFound when the catalog is gone. */
export async function readPage(
  ctx: Context,
  selection: Selection,
  position: Position,
): Promise<Page> {
  const { products } = selection
  if (!products) return readWalk(ctx, selection, position)
  const until = position.exported + position.size
  const wanted = products.slice(position.exported, until)
  const documents = await readDocuments(
    ctx,
    wanted.map(({ catalog, id }) => ({ catalog, productId: id })),
  )
  const viewer = viewerOf(ctx)
  return {
    products: documents.flatMap((document) => (document ? [viewProduct(document, viewer)] : [])),
    seen: wanted.length,
    last: until >= products.length,
  }
}

/** The names of values that the products have besides their fixed fields. */
export async function namesFor(ctx: Context, selection: Selection): Promise<ProductNames> {
  if (!selection.products) return namesIn(ctx, selection.catalog)
  const all: Parameters<typeof namesOf>[0][number][] = []
  for (let exported = 0, last = false; !last; exported += AT_ONCE) {
    const position = { exported, after: null, mode: 'strict', size: AT_ONCE } as const
    const page = await readPage(ctx, selection, position)
    for (const { facets, filters } of page.products) all.push({ facets, filters, attributes: {} })
    last = page.last
  }
  return namesOf(all)
}
