import type { PriceList } from '../catalogs/price-lists/price-list.ts'
import { deleteList, putList, readList, readLists } from '../catalogs/price-lists/store.ts'
import { type CatalogScope, openCatalog, writableCatalog } from '../catalogs/store.ts'
import { Invalid } from '../errors.ts'
import { type Context, operation, route } from '../operation.ts'
import { childrenOf } from '../organizations/store.ts'
import { CatalogPath } from '../products/schemas.ts'
import { ActionResponse, done } from '../shapes.ts'
import { readLines } from './read-lines.ts'
import {
  LinesQuery,
  LinesResponse,
  PriceListBody,
  PriceListPath,
  PriceListResponse,
  PriceListsResponse,
} from './schemas.ts'

const PATH = '/api/Catalog/:catalog/priceLists'

/** The list as the organization may read it: only the owner sees all `organizations`. */
function shownTo({ organization: { id } }: Context, { owner }: Pick<CatalogScope, 'owner'>) {
  return ({ name, currency, description, organizations, created }: PriceList) => ({
    ...{ name, currency, description },
    organizations: organizations && (owner === id ? [...organizations] : [id]),
    created,
  })
}

/** Throws Invalid for an id that is not a sub-organization of the owner. */
async function checkChildren(ctx: Context, owner: string, ids: readonly string[] | null) {
  if (!ids?.length) return
  const children = await childrenOf(ctx, owner)
  const at = ids.findIndex((id) => !children.includes(id))
  if (at >= 0) {
    throw new Invalid(
      `organizations[${at}]: not a sub-organization of the organization that owns the catalog`,
    )
  }
}

const AUDITED = {
  target: 'priceList',
  id: ({ priceList }: { priceList: string }) => priceList,
  values: ['name', 'currency', 'description', 'organizations', 'deleted'],
  part: ({ id, slot, created, ...list }: PriceList) => list,
} as const

export const priceListOperations = [
  operation({
    name: 'Get Price Lists',
    summary: 'Lists the price lists of a catalog.',
    access: 'viewer',
    bindings: { '6.0': route('GET', PATH, { param: CatalogPath, answer: PriceListsResponse }) },
    handle: async ({ catalog }, ctx) => {
      const scope = await openCatalog(ctx, catalog)
      const lists = await readLists(ctx, scope)
      return {
        priceLists: lists.map(shownTo(ctx, scope)).sort((a, b) => (a.name < b.name ? -1 : 1)),
      }
    },
  }),
  operation({
    name: 'Get Price List',
    summary: 'Returns the settings of a price list.',
    access: 'viewer',
    bindings: {
      '6.0': route('GET', `${PATH}/:priceList`, {
        param: PriceListPath,
        answer: PriceListResponse,
      }),
    },
    handle: async ({ catalog, priceList }, ctx) => {
      const scope = await openCatalog(ctx, catalog)
      return shownTo(ctx, scope)(await readList(ctx, scope, priceList))
    },
  }),
  operation({
    name: 'Save Price List',
    summary:
      'Creates a price list or replaces the settings of an existing one. Its prices are kept.',
    access: 'editor',
    audit: AUDITED,
    fails: ['conflict'],
    bindings: {
      '6.0': route('PUT', `${PATH}/:priceList`, {
        param: PriceListPath,
        body: PriceListBody,
        answer: ActionResponse,
      }),
    },
    handle: async ({ catalog, priceList, body }, ctx) => {
      const scope = await writableCatalog(ctx, catalog)
      await checkChildren(ctx, scope.owner, body.organizations ?? null)
      await putList(ctx, scope, priceList, body)
      return done('Price list saved.', { id: priceList })
    },
  }),
  operation({
    name: 'Delete Price List',
    summary: 'Deletes a price list. Its prices are removed in the background.',
    access: 'editor',
    audit: AUDITED,
    bindings: {
      '6.0': route('DELETE', `${PATH}/:priceList`, {
        param: PriceListPath,
        answer: ActionResponse,
      }),
    },
    handle: async ({ catalog, priceList }, ctx) => {
      await deleteList(ctx, await writableCatalog(ctx, catalog), priceList)
      return done('Price list deleted.', { id: priceList })
    },
  }),
  operation({
    name: 'Get Prices',
    summary: 'Lists the prices in a price list, in pages sorted by product.',
    access: 'viewer',
    cost: 8,
    bindings: {
      '6.0': route('GET', `${PATH}/:priceList/prices`, {
        param: PriceListPath,
        query: LinesQuery,
        answer: LinesResponse,
      }),
    },
    handle: async ({ catalog, priceList, ...page }, ctx) => {
      const scope = await openCatalog(ctx, catalog)
      return readLines(ctx, scope, await readList(ctx, scope, priceList), page)
    },
  }),
]
