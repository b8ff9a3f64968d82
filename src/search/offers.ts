import type { estypes } from '@elastic/elasticsearch'
import { all, anyOf, nested, present, range, term } from '../elastic/clauses.ts'
import type { Aggregations, Query } from '../elastic/search.ts'
import { type PriceLine, unitPrice } from '../products/list-prices.ts'
import { pricedOffers } from '../products/offer-prices.ts'
import type { Product } from '../products/product.ts'
import { valueTerm } from '../products/search-fields.ts'
import type { Criteria, Range } from './criteria.ts'
import { groupsIn } from './groups.ts'

/** What is asked of a product's offers; a vendor is held on the same offer as price and stock. */
export interface OfferConditions {
  /** Terms of alternatives; each entry needs an offer of its own kind. */
  readonly vendors: readonly (readonly string[])[]
  readonly price: Range | null
  readonly inStock: boolean
  /** No offer is asked for its price. */
  readonly byListPrice: boolean
}

/** What an offer by itself is held to. */
type OneOffer = Omit<OfferConditions, 'byListPrice'>

/** The conditions of a search that one offer has to meet. */
export function offerConditions(criteria: Criteria): OfferConditions {
  const { wanted, price, inStock, byListPrice } = criteria
  const vendors = wanted
    .filter(({ type }) => type === 'vendor')
    .map(({ values }) => values.map((value) => valueTerm(value)))
  return { vendors, price, inStock, byListPrice }
}

const PATH = 'search.offers'
const PRICE = 'search.offers.price'
const VENDOR = 'search.offers.vendor'

const rangeOf = (field: string, price: Range | null) =>
  price ? range(field, price.min, price.max) : undefined

/** Has every price of a product, where nobody asks whose it is. */
const flatPrices = (inStock: boolean) => (inStock ? 'search.stockPrices' : 'search.prices')

const asksNoVendor = ({ vendors, byListPrice }: OfferConditions): boolean =>
  byListPrice || vendors.length === 0

/** Clauses on products. Flat fields where one condition decides, nested offers where two do. */
export function offerClauses({ vendors, price, inStock, byListPrice }: OfferConditions): Query[] {
  if (byListPrice || vendors.length === 0 || price === null) {
    const field = inStock ? 'search.stockVendors' : 'search.vendors'
    const offered = vendors.map((names) => anyOf(field, names))
    return present([rangeOf(flatPrices(inStock), price), ...offered])
  }
  return vendors.map((names) =>
    nested(PATH, all([anyOf(VENDOR, names), rangeOf(PRICE, price), stockClause(inStock)])!),
  )
}

const stockClause = (inStock: boolean) =>
  inStock ? term('search.offers.inStock', true) : undefined

/** A single offer that fits the request: by one of the wanted vendors, in range, in stock. */
function fitting({ vendors, price, inStock }: OneOffer): Query | undefined {
  const names = [...new Set(vendors.flat())].sort()
  return all([anyOf(VENDOR, names), rangeOf(PRICE, price), stockClause(inStock)])
}

/** A list price is the product's, and the range holds for it already. */
const isPlain = ({ vendors, price, byListPrice }: OfferConditions): boolean =>
  byListPrice || (vendors.length === 0 && price === null)

/** Orders by the cheapest offer that fits; products without a price come last both ways. */
export function priceSort(
  conditions: OfferConditions,
  order: 'asc' | 'desc',
): estypes.SortCombinations {
  if (isPlain(conditions)) {
    const field = conditions.inStock ? 'search.stockPrices' : 'search.price'
    return { [field]: { order, mode: 'min', missing: '_last' } }
  }
  const filter = fitting(conditions)!
  return { [PRICE]: { order, mode: 'min', missing: '_last', nested: { path: PATH, filter } } }
}

/** Aggregates the offers that fit; read-facets.ts finds them again by the name. */
const amongOffers = (name: string, filter: Query, aggs: Aggregations): Aggregations => ({
  [`${name}Offers`]: { nested: { path: PATH }, aggs: { fitting: { filter, aggs } } },
})

/** Lowest and highest price of the offers that fit. */
export function priceAggregation(conditions: OfferConditions): Aggregations {
  if (asksNoVendor(conditions)) {
    return { prices: { stats: { field: flatPrices(conditions.inStock) } } }
  }
  return amongOffers('prices', fitting({ ...conditions, price: null })!, {
    prices: { stats: { field: PRICE } },
  })
}

/** Products by range of the price of an offer that fits. */
export function priceRangesAggregation(
  criteria: Criteria,
  ranges: readonly { from?: number; to?: number }[],
): Aggregations {
  const conditions = offerConditions(criteria)
  if (asksNoVendor(conditions)) {
    const field = flatPrices(conditions.inStock)
    return { ranges: { range: { field, ranges: [...ranges] }, ...groupsIn(criteria) } }
  }
  const { aggs = { products: { reverse_nested: {} } } } = groupsIn(criteria, { amongOffers: true })
  return amongOffers('ranges', fitting({ ...conditions, price: null })!, {
    ranges: { range: { field: PRICE, ranges: [...ranges] }, aggs },
  })
}

/** Products by vendor; a vendor has one offer of a product, so offers count products. */
export function vendorAggregation(
  name: string,
  { price, inStock, byListPrice }: OfferConditions,
  terms: (field: string, amongOffers: boolean) => Aggregations,
): Aggregations {
  if (byListPrice || price === null) {
    return terms(inStock ? 'search.stockVendors' : 'search.vendors', false)
  }
  return amongOffers(name, fitting({ vendors: [], price, inStock })!, terms(VENDOR, true))
}

/** The price by which a product is found and sorted, and whose it is. */
export interface FittingOffer {
  readonly amount: number
  /** null: nobody's, the msrp of a product without offers. */
  readonly vendorName: string | null
  readonly vendorPartNumber: string | null
  readonly inStock: boolean
}

/**
 * The price by which a request takes a product: that of the list, of which `listed` are the prices,
 * else of the cheapest offer that fits, as the order by price takes it. null without a price.
 */
export function fittingPrice(
  product: Product,
  criteria: Criteria,
  listed: readonly PriceLine[] | undefined,
): FittingOffer | null {
  if (!listed) return offerPrice(product, criteria)
  const amount = unitPrice(listed)
  if (amount === null) return null
  const inStock = product.vendors.some((offer) => offer.inStock)
  return { amount, vendorName: null, vendorPartNumber: null, inStock }
}

function offerPrice(product: Product, { wanted, price, inStock }: Criteria): FittingOffer | null {
  const vendors = wanted.filter(({ type }) => type === 'vendor').flatMap(({ values }) => values)
  const within = (amount: number) =>
    (price?.min ?? -Infinity) <= amount && amount <= (price?.max ?? Infinity)
  const fitting = pricedOffers(product).filter(
    ({ offer, price: amount }) =>
      (vendors.length === 0 || (offer !== null && vendors.includes(offer.vendorName))) &&
      (!inStock || offer?.inStock) &&
      within(amount),
  )
  const [best] = fitting.sort((a, b) => a.price - b.price)
  if (!best) return null
  const { vendorName = null, vendorPartNumber = null, inStock: isThere = false } = best.offer ?? {}
  return { amount: best.price, vendorName, vendorPartNumber, inStock: isThere }
}
