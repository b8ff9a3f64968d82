import type { CatalogBounds, CatalogScope } from '../catalogs/store.ts'
import { all, anyOf, none, term } from '../elastic/clauses.ts'
import type { Visible } from '../elastic/place.ts'
import type { ReplacedFields } from '../elastic/renamed-fields.ts'
import type { Query } from '../elastic/search.ts'
import type { Condition, ProductConditions } from '../operation.ts'
import { memoize } from '../platform/memoize.ts'
import { type Annotators, plainClause } from './criterion-clauses.ts'
import { noAnnotations, type Product, type ProductDocument } from './product.ts'
import { FILTER_FIELDS, type FilterField, valueTerm } from './search-fields.ts'
import { withEmptyFields } from './selection.ts'
import type { ViewableDocument } from './view.ts'

/**
 * Replaces the field of all part numbers with the one without vendors' numbers. That one has no
 * `inside` index, which would make imports a tenth slower.
 */
const WITHOUT_VENDORS = {
  'search.partNumbers': 'search.catalogNumbers',
  'search.partNumbers.inside': 'search.catalogNumbers',
}

/** Replaces offer prices with a field that has a single price for the whole product. */
const productPrice = (field: string): ReplacedFields => ({
  'search.price': field,
  'search.prices': field,
  'search.stockPrices': field,
  'search.offers.price': null,
  'search.offers.vendor': null,
  'search.offers.inStock': null,
})

const NO_BOUNDS: CatalogBounds = { filters: [], hide: [], organization: '', username: '' }

/**
 * The products, fields and prices of a catalog that the caller may see. Undefined means everything
 * at general prices.
 */
export function visibleProducts({
  bounds = NO_BOUNDS,
  priceField,
}: Pick<CatalogScope, 'bounds' | 'priceField'>): Visible | undefined {
  if (bounds === NO_BOUNDS && priceField === undefined) return undefined
  const { filters, hide, organization } = bounds
  const clauses = filters.map((filter) => clausesOf(filter, bounds))
  // If costs are hidden, the msrp is used, which everyone may see.
  const price = priceField ?? (hide.includes('vendors.cost') ? 'search.msrp' : undefined)
  return {
    filter: all(clauses.map(queryOf)),
    instead: {
      ...(hide.includes('vendors.vendorPartNumber') ? WITHOUT_VENDORS : {}),
      ...(price === undefined ? {} : productPrice(price)),
    },
    source: sourceOf(clauses, organization),
    admits(document) {
      const { product, annotations = {} } = withEmptyFields(document as ViewableDocument)
      if (bounds !== NO_BOUNDS && product.hidden) return false
      if (filters.length === 0) return true
      const own = { ...noAnnotations, ...annotations[organization] }
      const fields = readFields({ product, annotations: { [organization]: own } })
      return clauses.every((filter) => isFulfilled(filter, fields))
    },
  }
}

/** The product members from which search fields with other names are computed. */
const MADE_OF: Readonly<Partial<Record<FilterField, readonly (keyof Product)[]>>> = {
  categoryPaths: ['segment', 'category', 'subCategory'],
  partNumbers: ['id', 'manufacturerPartNumber', 'vendors', 'upcs'],
  stockVendors: ['vendors'],
  facets: ['facets', 'options'],
}
const OF_ANNOTATIONS: readonly FilterField[] = ['favorites', 'tags', 'userTags', 'fields']

/** `_source` paths of a document that these filters need. */
function sourceOf(filters: readonly FilterClauses[], organization: string): string[] {
  const fields = filters.flatMap(({ wanted, excluded, inStock }) => [
    ...[...wanted, ...excluded].flatMap(fieldsIn),
    ...(inStock ? ['stockVendors' as const] : []),
  ])
  const paths = fields.flatMap((field) =>
    OF_ANNOTATIONS.includes(field)
      ? [`annotations.${organization}`]
      : (MADE_OF[field] ?? [field]).map((member) => `product.${member}`),
  )
  return [...new Set(['product.hidden', ...paths])]
}

/** The clauses of a key's filter, for searches and for checking documents after a read. */
interface FilterClauses {
  readonly wanted: readonly Query[]
  readonly excluded: readonly Query[]
  readonly inStock: boolean
}

function clausesOf(
  { wanted, excluded, inStock }: ProductConditions,
  annotators: Annotators,
): FilterClauses {
  const plain = (condition: Condition) => plainClause(condition, annotators)
  return {
    wanted: wanted.map((condition) =>
      inStock && condition.type === 'vendor' ? inStockAt(condition) : plain(condition),
    ),
    excluded: excluded.map(plain),
    inStock,
  }
}

/** As in searches, the wanted vendor itself must have the product in stock. */
function inStockAt({ values }: Condition): Query {
  const terms = values.map((value) => valueTerm(value))
  return anyOf('search.stockVendors', terms)!
}

const queryOf = ({ wanted, excluded, inStock }: FilterClauses): Query | undefined =>
  all([...wanted, none(excluded), inStock ? term('search.inStock', true) : undefined])

type Fields = (name: FilterField) => ReadonlySet<string>

/** Computes search fields of a product on demand, since a filter uses only a few. */
const readFields = (document: Pick<ProductDocument, 'product' | 'annotations'>): Fields =>
  memoize((name) => new Set([FILTER_FIELDS[name](document)].flat().filter((one) => one != null)))

/** Whether a product with these search fields matches the filter, without a search. */
const isFulfilled = ({ wanted, excluded, inStock }: FilterClauses, fields: Fields): boolean =>
  wanted.every((query) => matches(query, fields)) &&
  !excluded.some((query) => matches(query, fields)) &&
  (!inStock || fields('stockVendors').size > 0)

/** The fields in a clause of `plainClause`. */
const fieldsIn = ({ bool, ...one }: Query): FilterField[] =>
  bool
    ? (bool.should as Query[]).flatMap(fieldsIn)
    : Object.values(one).flatMap((body) => Object.keys(body as object).map(fieldOf))

const fieldOf = (name: string) => name.slice('search.'.length) as FilterField

/** Evaluates a clause of `plainClause` on keyword fields, whose values are compared exactly. */
function matches({ bool, prefix, term: one, terms }: Query, fields: Fields): boolean {
  if (bool) return (bool.should as Query[]).some((query) => matches(query, fields))
  const [field, wanted] = Object.entries(prefix ?? one ?? terms ?? {})[0]!
  const found = fields(fieldOf(field))
  if (prefix) return [...found].some((value) => value.startsWith(wanted as string))
  const values = [wanted].flat() as string[]
  return values.some((value) => found.has(value))
}
