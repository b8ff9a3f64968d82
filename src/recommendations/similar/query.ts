import { constant } from '../../elastic/clauses.ts'
import type { Query, SearchBody } from '../../elastic/search.ts'
import { type Language, textField } from '../../languages/language.ts'
import type { Product } from '../../products/product.ts'
import { valueTerm } from '../../products/search-fields.ts'
import { priceOf } from '../../workspaces/items.ts'

/** What is read of a product to compare it. */
const COMPARED = [
  'product.id',
  'product.name',
  'product.manufacturerPartNumber',
  'product.facets',
  'product.filters',
  'product.msrp',
  'product.vendors.cost',
] as const

/** Products that are looked at more closely. */
const LOOKED_AT = 50
/** Values of a product that are compared by the search. */
const MOST_FACETS = 64

/** Products of the same category that share values, the price near; undefined when it has neither. */
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

/** The narrowest category that it has; without one, products whose names share most words. */
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

/** A value that few products share counts more. */
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
