import { popularProducts } from '../analytics/popular-products.ts'
import { recordSearchEvent } from '../analytics/record-search-event.ts'
import { visitorOf } from '../analytics/visitor.ts'
import { withPriceList } from '../catalogs/price-lists/in-effect.ts'
import { type CatalogScope, openCatalog } from '../catalogs/store.ts'
import type { SearchBatchMember } from '../elastic/search-batching.ts'
import type { Context } from '../operation.ts'
import { mapInSteps } from '../platform/in-steps.ts'
import { foundProductsOf } from '../products/product-documents.ts'
import { viewerOf } from '../products/view.ts'
import { chargeSearch } from '../usage/charge.ts'
import { checksOffers, withCheckedOffers } from './check-offers.ts'
import { type Criteria, criteriaOf } from './criteria.ts'
import { withExplanations } from './explained.ts'
import { inExplanationTurn } from './explanation-turn.ts'
import { recordSearch } from './history.ts'
import { learnAfter, learnedTypesOf } from './learning/learn-types.ts'
import { type SearchRequest, type SentSearch, searchOf } from './request-schemas.ts'
import { refuseRestricted } from './restricted-criteria.ts'
import { runSearch } from './run.ts'
import { answeredProduct } from './selected-products.ts'
import { orderedBySignals } from './sort-boosts.ts'
import type { SearchTarget } from './target.ts'
import { assignedTuning } from './tuning/experiment.ts'
import { tuningFor } from './tuning/store.ts'
import { walksOf } from './walk.ts'

/** A search that was checked against what its caller may do. */
export interface AllowedSearch {
  readonly catalog: string | undefined
  readonly body: SearchRequest
  readonly criteria: Criteria
  /** Assigns the search to an experiment; null: it uses the settings of the catalog. */
  readonly visitor: string | null
}

/** Throws Invalid, Forbidden. */
export function allowedSearch(ctx: Context, sent: SentSearch): AllowedSearch {
  const { catalog, body } = searchOf(sent)
  const criteria = refuseRestricted(criteriaOf(body), ctx.caller)
  return { catalog, body, criteria, visitor: visitorOf(ctx, body.visitor) }
}

/** The catalog of a request and its price list; null: the key's list, else the general prices. */
export interface SearchedCatalog {
  readonly catalog: string | undefined
  readonly priceList: string | null
  /** The visitor whose part in an experiment decides the settings; absent: no experiment. */
  readonly visitor?: string | null
}

/**
 * Runs `work` on the active catalog of a request with the prices in effect. With `hidden`, only
 * hidden products are searched.
 */
export async function inCatalog<T>(
  ctx: Context,
  { catalog, priceList, visitor = null }: SearchedCatalog,
  work: (target: SearchTarget, scope: CatalogScope) => Promise<T>,
  { hidden }: Pick<Partial<Criteria>, 'hidden'> = {},
): Promise<T> {
  const opened = await openCatalog(ctx, catalog, { active: true })
  const { scope, prices } = await withPriceList(ctx, opened, priceList)
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

/** Number of hits before the page; null on later pages of a walk, whose cursor does not count. */
const hitsBefore = ({ from, cursor }: Criteria): number | null =>
  cursor === null || cursor === '*' ? from : null

/** Runs and charges one search. `piece` batches its Elasticsearch requests with other searches. */
export async function answeredSearch(
  ctx: Context,
  { catalog, body, criteria, visitor }: AllowedSearch,
  piece?: SearchBatchMember,
) {
  const where = { catalog, visitor, priceList: body.priceList }
  const search = async (target: SearchTarget, scope: CatalogScope) => {
    const popular = criteria.cursor === null ? popularProducts(ctx, scope.name) : undefined
    const whole = criteria.whole || checksOffers(ctx, scope, body)
    const asked = { ...orderedBySignals(criteria, target.tuning), whole }
    const products = piece ? batchedProducts(ctx, target.products, piece) : target.products
    const run = async (signal: AbortSignal) => {
      await piece?.turn()
      // The other searches of the batch do not wait for the credit ledger or for vendors.
      const batched = { ...target, products, signal, popular, piece }
      return runSearch(batched, asked).finally(piece?.endSearches)
    }
    const found = await withExplanations(await chargeSearch(ctx, run))
    if (criteria.keywords !== null && seesAll(scope)) learnAfter(ctx, scope, found.total)
    return { found, scope, assignment: target.assignment }
  }
  // Explained searches of a batch have their turn together.
  const { found, scope, assignment } = await inExplanationTurn(
    ctx,
    criteria.explain && !piece,
    () => inCatalog(ctx, where, search, criteria),
  )
  recordSearch(ctx, { catalog: scope.name, request: body, found })
  const searchId = recordSearchEvent(ctx, {
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
    products: await mapInSteps(products, (product) => answeredProduct(product, criteria)),
    ...answer,
    ...(searchId === undefined ? {} : { searchId }),
  }
}

/** Whether the caller sees all products. If not, the order must not reveal the others. */
const seesAll = ({ bounds }: CatalogScope): boolean => (bounds?.filters.length ?? 0) === 0

type SearchedProducts = SearchTarget['products']

/** Batches searches with others without waiting for them. All answers share one size limit. */
function batchedProducts(
  { answers }: Context,
  { place, count }: SearchedProducts,
  piece: SearchBatchMember,
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
