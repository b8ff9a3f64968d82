import { type CatalogScope, openCatalog } from '../catalogs/store.ts'
import { all, anyOf } from '../elastic/clauses.ts'
import { multiGet } from '../elastic/multi-get.ts'
import { refreshIndex } from '../elastic/refresh.ts'
import { NotFound } from '../errors.ts'
import { limits } from '../limits.ts'
import type { Context } from '../operation.ts'
import { productsOf } from '../products/documents.ts'
import type { ProductDocument } from '../products/product.ts'
import { type ProductView, viewerOf, viewProduct, viewSource } from '../products/view.ts'
import { countingLines } from './batches.ts'
import { documentsOf } from './store.ts'
import type { ItemDocument, Line, VerdictDocument } from './workspace.ts'

/** The catalogs among these names that the caller may read, by name. */
async function openCatalogs(ctx: Context, names: Iterable<string>) {
  const active = ctx.caller.keyType === 'search'
  const opened = await Promise.all(
    [...new Set(names)].map(async (name) => {
      const scope = await openCatalog(ctx, name, { active }).catch((error: unknown) => {
        if (error instanceof NotFound) return undefined
        throw error
      })
      return [name, scope] as const
    }),
  )
  return new Map(opened)
}

/** A product as it is stored, and where. */
export type ReadDocument = Pick<ProductDocument, 'product'> & { readonly scope: CatalogScope }

interface WantedProduct {
  readonly catalog: string
  readonly productId: string
}

/** Stored products in the order of `wanted`, in one call; undefined where the caller sees none. */
export const readDocuments = (
  ctx: Context,
  wanted: readonly WantedProduct[],
): Promise<(ReadDocument | undefined)[]> => readParts(ctx, wanted, viewSource(ctx.organization.id))

/** Whether the caller sees each of these products. */
export const arePresent = async (
  ctx: Context,
  wanted: readonly WantedProduct[],
): Promise<boolean[]> =>
  (await readParts(ctx, wanted, ['product.id'])).map((found) => found !== undefined)

async function readParts(
  ctx: Context,
  wanted: readonly WantedProduct[],
  source: readonly string[],
): Promise<(ReadDocument | undefined)[]> {
  const catalogs = await openCatalogs(
    ctx,
    wanted.map(({ catalog }) => catalog),
  )
  const known = wanted.flatMap(({ catalog, productId }, index) => {
    const scope = catalogs.get(catalog)
    return scope ? [{ index, scope, from: productsOf(ctx, scope), id: productId }] : []
  })
  const found = await multiGet(ctx.elastic, known, { source, signal: ctx.signal })
  const documents: (ReadDocument | undefined)[] = wanted.map(() => undefined)
  for (const [place, { index, scope }] of known.entries()) {
    const document = found[place]
    if (document) documents[index] = { ...document, scope }
  }
  return documents
}

/** A line with its product as the caller sees it now; null when it is gone. */
export interface SeenLine {
  readonly line: Line
  readonly product: ProductView | null
}

export async function withProducts(ctx: Context, lines: readonly Line[]): Promise<SeenLine[]> {
  const documents = await readDocuments(ctx, lines)
  const viewer = viewerOf(ctx)
  return lines.map((line, index) => {
    const document = documents[index]
    return { line, product: document ? viewProduct(document, viewer) : null }
  })
}

/** Makes every acknowledged write to workspaces found by the searches that follow. */
export const refreshWorkspaces = (ctx: Context): Promise<void> =>
  refreshIndex(ctx.elastic, 'workspaces', { signal: ctx.signal })

/** The lines of workspaces that count at one moment, the first added first. */
export const readLines = async (ctx: Context, workspaces: readonly string[]): Promise<Line[]> =>
  countingLines(await readItems(ctx, workspaces))

/** Items and verdicts of workspaces at one moment; batches under way may be many times the limit. */
export async function readItems(
  ctx: Context,
  workspaces: readonly string[],
): Promise<(ItemDocument | VerdictDocument)[]> {
  if (workspaces.length === 0) return []
  const documents = documentsOf<ItemDocument | VerdictDocument>(ctx, ctx.organization.id)
  const answer = await documents.search(
    {
      query: all([anyOf('kind', ['item', 'verdict']), anyOf('workspace', workspaces)])!,
      size: limits.resultWindow,
      // Verdicts have no such time: first, so that none is cut off.
      sort: [{ added: { order: 'asc', missing: '_first' } }, { position: 'asc' }, { id: 'asc' }],
      track_total_hits: false,
    },
    { signal: ctx.signal },
  )
  return answer.hits.hits.map((hit) => hit._source!)
}
