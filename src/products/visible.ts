import type { CatalogBounds, CatalogScope } from '../catalogs/store.ts'
import { all, none, present, term } from '../elastic/clauses.ts'
import type { Visible } from '../elastic/place.ts'
import type { Query } from '../elastic/search.ts'
import type { Condition, ProductConditions } from '../operation.ts'
import { type Annotators, ARROW, levelsOf, plainClause } from './criterion-clauses.ts'
import type { ProductDocument } from './product.ts'
import { type SearchFields, searchFields } from './search-fields.ts'
import { viewSource } from './view.ts'

/**
 * In place of the part numbers of vendors with all others: the others alone, whole or by their
 * beginning. Their insides would make each import a tenth slower.
 */
const WITHOUT_VENDORS = {
  'search.partNumbers': 'search.catalogNumbers',
  'search.partNumbers.inside': 'search.catalogNumbers',
}

/** In place of what offers cost: what everybody is told, which is no field of an offer. */
const LIST_PRICE = {
  'search.price': 'search.msrp',
  'search.prices': 'search.msrp',
  'search.stockPrices': 'search.msrp',
  'search.offers.price': null,
  'search.offers.vendor': null,
  'search.offers.inStock': null,
}

/** Which products of a catalog, and what of them, are there within these bounds. */
export function visibleProducts(
  { owner, name, language }: Pick<CatalogScope, 'owner' | 'name' | 'language'>,
  bounds: CatalogBounds,
): Visible {
  const { filters, hide, organization } = bounds
  return {
    filter: all(filters.map((filter) => clauseOf(filter, bounds))),
    instead: {
      ...(hide.includes('vendors.vendorPartNumber') ? WITHOUT_VENDORS : {}),
      ...(hide.includes('vendors.cost') ? LIST_PRICE : {}),
    },
    source: filters.length === 0 ? [] : viewSource(organization),
    admits(document) {
      if (filters.length === 0) return true
      const { product, annotations = {} } = document as ProductDocument
      const whole = { product, annotations, pending: [] }
      const fields = searchFields(whole, `${owner}/${name}`, language)
      return filters.every((filter) => fulfils(filter, fields, bounds))
    },
  }
}

const clauseOf = (
  { wanted, excluded, inStock }: ProductConditions,
  annotators: Annotators,
): Query | undefined =>
  all([
    ...wanted.map((condition) => plainClause(condition, annotators)),
    none(excluded.map((condition) => plainClause(condition, annotators))),
    inStock ? term('search.inStock', true) : undefined,
  ])

type Fields = Pick<SearchFields, 'path' | 'inStock'>

/** Whether a product with these search fields is found by the filter: a read needs no search. */
function fulfils(
  { wanted, excluded, inStock }: ProductConditions,
  fields: Fields,
  annotators: Annotators,
): boolean {
  const holds = (condition: Condition) => isMet(condition, fields, annotators)
  return wanted.every(holds) && !excluded.some(holds) && (!inStock || fields.inStock)
}

function isMet(condition: Condition, fields: Fields, annotators: Annotators): boolean {
  if (condition.type !== 'categoryPath') return matches(plainClause(condition, annotators), fields)
  const levels = levelsOf(fields.path ?? '')
  return condition.values.some((path) => path.split(ARROW).every((name, at) => levels[at] === name))
}

/** What `plainClause` makes, on keyword fields, which are compared as they are. */
function matches({ bool, prefix, term: one, terms }: Query, fields: Fields): boolean {
  if (bool) return present(bool.should as Query[]).some((query) => matches(query, fields))
  const [field, wanted] = Object.entries(prefix ?? one ?? terms ?? {})[0]!
  const found = valuesAt(fields, field)
  if (prefix) return found.some((value) => value.startsWith(wanted as string))
  const values = [wanted].flat() as string[]
  return found.some((value) => values.includes(value))
}

function valuesAt(fields: Fields, field: string): readonly string[] {
  const value = (fields as Readonly<Record<string, unknown>>)[field.slice('search.'.length)]
  return ([value].flat() as (string | undefined)[]).filter((one) => one !== undefined)
}
