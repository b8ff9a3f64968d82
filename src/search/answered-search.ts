import type { z } from 'zod'
import { countSearch } from '../analytics/count-search.ts'
import { popularProducts } from '../analytics/popular-products.ts'
import { visitorOf } from '../analytics/visitor.ts'
import { atPrices } from '../catalogs/price-lists/in-effect.ts'
import { type CatalogScope, openCatalog } from '../catalogs/store.ts'
import type { GatheredPiece } from '../elastic/gathered-searches.ts'
import type { Context } from '../operation.ts'
import { foundProductsOf } from '../products/product-documents.ts'
import { viewerOf } from '../products/view.ts'
import type { CatalogQuery } from '../shapes.ts'
import { chargeSearch } from '../usage/charge.ts'
import { checksOffers, withCheckedOffers } from './check-offers.ts'
import { type Criteria, criteriaOf } from './criteria.ts'
import { explained } from './explained.ts'
import { recordSearch } from './history.ts'
import { learnAfter, learnedTypesOf } from './learning/learn-types.ts'
import { orderedBySignals } from './popular-lifts.ts'
import { type SearchBody, type SearchRequest, searchOf } from './request-schemas.ts'
import { refuseRestricted } from './restricted-criteria.ts'
import { runSearch } from './run.ts'
import { answeredProduct } from './selected-products.ts'
import type { SearchTarget } from './target.ts'
import { assignedTuning } from './tuning/experiment.ts'
import { tuningFor } from './tuning/store.ts'
import { walksOf } from './walk.ts'

export type SentSearch = z.output<typeof CatalogQuery> & {
  readonly body: z.output<typeof SearchBody>
}

/** A search that its caller may make. */
export interface AllowedSearch {
  readonly catalog: string | undefined
  readonly body: SearchRequest
  readonly criteria: Criteria
  /** Who takes part in experiments; null: the search goes by what is set for everybody. */
  readonly visitor: string | null
}

/** Throws Invalid, Forbidden. */
export function allowedSearch(ctx: Context, sent: SentSearch): AllowedSearch {
  const { catalog, body } = searchOf(sent)
  const criteria = refuseRestricted(criteriaOf(body), ctx.caller)
  return { catalog, body, criteria, visitor: visitorOf(ctx, body.visitor) }
}

/** Where a request searches, and by which price list; null: by the general prices, or the key's list. */
export interface SearchedCatalog {
  readonly catalog: string | undefined
  readonly priceList: string | null
  /** Whose part in an experiment decides by what it is searched; nobody's when absent. */
  readonly visitor?: string | null
}

/**
 * Runs `work` on the active catalog of a request, at the prices that it goes by; `hidden`: on what is
 * hidden of it.
 */
export async function inCatalog<T>(
  ctx: Context,
  { catalog, priceList, visitor = null }: SearchedCatalog,
  work: (target: SearchTarget, scope: CatalogScope) => Promise<T>,
  { hidden }: Pick<Partial<Criteria>, 'hidden'> = {},
): Promise<T> {
  const opened = await openCatalog(ctx, catalog, { active: true })
  const { scope, prices } = await atPrices(ctx, opened, priceList)
  const { caller, clock, organization, signal } = ctx
  const found = foundProductsOf(ctx, scope, { hidden })
  const products = { ...found, search: ctx.answers.searchOf(found.place, found.search) }
  const walks = walksOf(ctx, products)
  const { language } = scope
  const place = { catalog: scope.name, visitor }
  const assigned = assignedTuning(await tuningFor(ctx, scope), place)
  const now = clock.now()
  const isOwner = scope.owner === organization.id || caller.parentRole !== null
  const readsSettings = isOwner && caller.keyType !== 'search'
  const viewer = viewerOf(ctx, prices)
  const learned = seesAll(scope) ? learnedTypesOf(ctx, scope) : undefined
  const target = { products, viewer, language, signal, walks, now, readsSettings, learned }
  return work({ ...target, ...assigned }, scope)
}

/** Hits before the page; null on later pages of a walk, whose cursor does not count them. */
const hitsBefore = ({ from, cursor }: Criteria): number | null =>
  cursor === null || cursor === '*' ? from : null

/** One charged search; `piece` sends what it asks Elasticsearch together with others. */
export async function answeredSearch(
  ctx: Context,
  { catalog, body, criteria, visitor }: AllowedSearch,
  piece?: GatheredPiece,
) {
  const where = { catalog, visitor, priceList: body.priceList }
  const search = async (target: SearchTarget, scope: CatalogScope) => {
    const popular = criteria.cursor === null ? popularProducts(ctx, scope.name) : undefined
    const whole = criteria.whole || checksOffers(ctx, scope, body)
    const asked = { ...orderedBySignals(criteria, target.tuning), whole }
    const products = piece ? together(ctx, target.products, piece) : target.products
    const run = (signal: AbortSignal) =>
      // Others of the request wait neither for the ledger of credits nor for vendors.
      runSearch({ ...target, products, signal, popular }, asked).finally(piece?.endSearches)
    const found = await explained(await chargeSearch(ctx, run))
    if (criteria.keywords !== null && seesAll(scope)) learnAfter(ctx, scope, found.total)
    return { found, scope, assignment: target.assignment }
  }
  const { found, scope, assignment } = await inCatalog(ctx, where, search, criteria)
  recordSearch(ctx, { catalog: scope.name, request: body, found })
  const searchId = countSearch(ctx, {
    ...body,
    catalog: scope.name,
    keywords: criteria.keywords,
    from: hitsBefore(criteria),
    total: found.total,
    productIds: found.stored.map(({ id }) => id),
    assignment,
  })
  const { products, ...answer } = await withCheckedOffers(ctx, scope, found, body)
  return {
    products: products.map((product) => answeredProduct(product, criteria)),
    ...answer,
    ...(searchId === undefined ? {} : { searchId }),
  }
}

/** A caller who sees only some products must not learn about others by the order. */
const seesAll = ({ bounds }: CatalogScope): boolean => (bounds?.filters.length ?? 0) === 0

type SearchedProducts = SearchTarget['products']

/** Asks together with others, and waits for none of theirs; what all are answered has one bound. */
function together(
  { answers }: Context,
  { place, count }: SearchedProducts,
  piece: GatheredPiece,
): SearchedProducts {
  const gathered = ((body, options) =>
    piece.search(place, body, options)) as SearchedProducts['search']
  const kept = answers.searchOf(place, gathered, { alone: true })
  const search: SearchedProducts['search'] = async (body, options) => {
    const answer = await kept(body, options)
    piece.count(answer)
    return answer
  }
  return { place, count, search }
}
