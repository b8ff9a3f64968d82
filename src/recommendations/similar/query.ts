import { constant } from '../../elastic/clauses.ts'
import type { Query, SearchBody } from '../../elastic/search.ts'
import { type Language, textField } from '../../languages/language.ts'
import type { Product } from '../../products/product.ts'
import { valueTerm } from '../../products/search-fields.ts'
import { priceOf } from '../../workspaces/items.ts'

/** The fields of a product that are read for the comparison. */
const COMPARED = [
  'product.id',
  'product.name',
  'product.manufacturerPartNumber',
  'product.facets',
  'product.filters',
  'product.msrp',
  'product.vendors.cost',
] as const

/** Number of products that are compared in detail. */
const LOOKED_AT = 50
/** Number of values of a product that the search compares. */
const MOST_FACETS = 64

/**
 * Finds products of the same category with shared values and a similar price; undefined for a
 * product that has neither category nor name.
 */
export function similarBody(product: Product, language: Language): SearchBody | undefined {
  const kind = kindOf(product, language)
  if (!kind) return undefined
  return {
    size: LOOKED_AT,
    track_total_hits: false,
    _source: [...COMPARED],
    query: {
      bool: {
        filter: [kind],
        must_not: [{ term: { 'search.id': product.id } }],
        should: [...sharedValues(product), ...nearPrice(product)],
      },
    },
    sort: ['_score', { 'search.id': 'asc' }],
  }
}

/**
 * Limits results to the narrowest category, or without one to products with most words of the name.
 */
function kindOf(
  { segment, category, subCategory, name }: Product,
  language: Language,
): Query | undefined {
  if (subCategory !== null) return { term: { 'search.subCategory': subCategory } }
  if (category !== null) return { term: { 'search.category': category } }
  if (segment !== null) return { term: { 'search.segment': segment } }
  if (name === null) return undefined
  const field = textField(language, 'name')
  return { match: { [field]: { query: name, minimum_should_match: '2<50%' } } }
}

/** Rare values score higher than common ones. */
const sharedValues = ({ facets }: Product): Query[] =>
  Object.entries(facets)
    .slice(0, MOST_FACETS)
    .map(([name, value]) => ({ term: { 'search.facets': valueTerm(name, value) } }))

const NEAR = 0.3
const PRICE_WEIGHT = 4

function nearPrice(product: Product): Query[] {
  const { price } = priceOf(product)
  if (price === null || price <= 0) return []
  const range = { gte: price * (1 - NEAR), lte: price * (1 + NEAR) }
  return [constant({ range: { 'search.price': range } }, PRICE_WEIGHT)]
}
