import type { CatalogScope } from '../catalogs/store.ts'
import { collection } from '../elastic/collection.ts'
import { ALL_PRODUCTS } from '../elastic/own-index.ts'
import type { Context } from '../operation.ts'
import { checkWindow, type Paging } from '../shapes.ts'
import { findEntries, storePendingEntries } from './change-log.ts'
import type { ChangeEntry, ProductDocument } from './product.ts'

export interface ReportFilter extends Paging {
  /** Undefined for all catalogs of the organization. */
  readonly scope: CatalogScope | undefined
  readonly user: string | undefined
}

/** Changes to products of an organization or of one catalog, newest first. */
export async function readReport(
  ctx: Context,
  { scope, user, page, pageSize }: ReportFilter,
): Promise<ChangeEntry[]> {
  checkWindow({ page, pageSize }, 'entries')
  const owner = scope?.owner ?? ctx.organization.id
  await storePending(ctx, owner, scope)
  const wanted = { owner, catalog: scope?.name, updatedBy: user }
  return findEntries(ctx, { ...wanted, from: page * pageSize, size: pageSize }, ctx.signal)
}

const LOOKED_AT = 100
/** Small pages, since an entry may be large. */
const PAGE = 10

/**
 * Stores the newest pending entries, so that the report includes them. Usually there are only a
 * few. After a large import, the rest is stored in the background.
 */
async function storePending(ctx: Context, owner: string, scope: CatalogScope | undefined) {
  for (let from = 0; from < LOOKED_AT; from += PAGE) {
    const left = await readPending(ctx, owner, scope, from)
    if (left.length > 0) {
      await storePendingEntries(ctx, owner, left, { refresh: true, signal: ctx.signal })
    }
    if (left.length < PAGE) return
  }
}

async function readPending(
  ctx: Context,
  owner: string,
  scope: CatalogScope | undefined,
  from: number,
) {
  const here = scope
    ? { term: { scope: `${scope.owner}/${scope.name}` } }
    : { prefix: { scope: `${owner}/` } }
  const products = collection<Pick<ProductDocument, 'product' | 'pending'>>(ctx.elastic, {
    kind: ALL_PRODUCTS,
    scope: [],
  })
  return products.find(
    {
      query: { bool: { filter: [here, { term: { 'search.pending': true } }] } },
      _source: ['product.manufacturerPartNumber', 'pending'],
      from,
      size: PAGE,
      sort: [{ 'search.updated': 'desc' }],
    },
    { signal: ctx.signal, most: Infinity },
  )
}
