import type { estypes } from '@elastic/elasticsearch'
import { all, anyOf, nested, present, range, term } from '../elastic/clauses.ts'
import type { Aggregations, Query } from '../elastic/search.ts'
import { type PriceLine, unitPrice } from '../products/list-prices.ts'
import { pricedOffers } from '../products/offer-prices.ts'
import type { Product } from '../products/product.ts'
import { valueTerm } from '../products/search-fields.ts'
import type { Criteria, Range } from './criteria.ts'
import type { Explanation } from './explanation-schemas.ts'
import { groupsIn } from './groups.ts'

/** Conditions on the offers of a product. Vendor, price and stock must hold for the same offer. */
export interface OfferConditions {
  /** Each entry lists alternative vendor terms, and needs an offer from one of them. */
  readonly vendors: readonly (readonly string[])[]
  readonly price: Range | null
  readonly inStock: boolean
  /** Prices do not depend on offers. */
  readonly byListPrice: boolean
}

/** The conditions on a single offer. */
type OneOffer = Omit<OfferConditions, 'byListPrice'>

/** The conditions of a search on offers. */
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

/** The flat field with all prices of a product, for searches without a vendor. */
const flatPrices = (inStock: boolean) => (inStock ? 'search.stockPrices' : 'search.prices')

const asksNoVendor = ({ vendors, byListPrice }: OfferConditions): boolean =>
  byListPrice || vendors.length === 0

/** Clauses on products: flat fields for a single condition, nested offers for a combination. */
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

/** Matches an offer that fits the request: from a wanted vendor, in range, in stock. */
function fitting({ vendors, price, inStock }: OneOffer): Query | undefined {
  const names = [...new Set(vendors.flat())].sort()
  return all([anyOf(VENDOR, names), rangeOf(PRICE, price), stockClause(inStock)])
}

/** Whether flat fields suffice. List prices belong to the product and are already in range. */
const isPlain = ({ vendors, price, byListPrice }: OfferConditions): boolean =>
  byListPrice || (vendors.length === 0 && price === null)

/** Sorts by the cheapest offer that fits. Products without a price come last in both orders. */
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

/** Aggregates the offers that fit. read-facets.ts looks the result up by its name. */
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

/** A range with an inclusive lower and an exclusive upper bound. */
interface PriceInterval {
  readonly from?: number
  readonly to?: number
}

/** Counts products by price ranges of offers that fit. */
export function priceRangesAggregation(
  criteria: Criteria,
  ranges: readonly PriceInterval[],
): Aggregations {
  const conditions = offerConditions(criteria)
  if (asksNoVendor(conditions)) {
    const field = flatPrices(conditions.inStock)
    return { ranges: { range: { field, ranges: [...ranges] }, ...groupsIn(criteria) } }
  }
  if (conditions.vendors.length > 1) {
    // An offer of each vendor must be in the range, which takes a query per range.
    const filters = ranges.map((part) => all(partClauses(conditions, part))!)
    return { ranges: { filters: { filters }, ...groupsIn(criteria) } }
  }
  const { aggs = { products: { reverse_nested: {} } } } = groupsIn(criteria, { amongOffers: true })
  return amongOffers('ranges', fitting({ ...conditions, price: null })!, {
    ranges: { range: { field: PRICE, ranges: [...ranges] }, aggs },
  })
}

const partClauses = ({ vendors, inStock }: OfferConditions, { from, to }: PriceInterval): Query[] =>
  vendors.map((names) => {
    const bounds = {
      ...(from === undefined ? {} : { gte: from }),
      ...(to === undefined ? {} : { lt: to }),
    }
    const price: Query = { range: { [PRICE]: bounds } }
    return nested(PATH, all([anyOf(VENDOR, names), price, stockClause(inStock)])!)
  })

/** Counts products by vendor. A vendor has one offer of a product, so offers count as products. */
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

/** The price by which a product is found and sorted, and the offer that has it, if any. */
type FittingPrice = Explanation['price']

/**
 * The price of a product for a request, as in the order by price: from the price lines in `listed`,
 * else of the cheapest offer that fits. null without a price.
 */
export function fittingPrice(
  product: Product,
  criteria: Criteria,
  listed: readonly PriceLine[] | undefined,
): FittingPrice {
  if (!listed) return offerPrice(product, criteria)
  const amount = unitPrice(listed)
  if (amount === null) return null
  const inStock = product.vendors.some((offer) => offer.inStock)
  return { amount, vendorName: null, vendorPartNumber: null, inStock }
}

function offerPrice(product: Product, { wanted, price, inStock }: Criteria): FittingPrice {
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
  const {
    vendorName = null,
    vendorPartNumber = null,
    inStock: isInStock = false,
  } = best.offer ?? {}
  return { amount: best.price, vendorName, vendorPartNumber, inStock: isInStock }
}
