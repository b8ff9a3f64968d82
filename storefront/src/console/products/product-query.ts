import type { Answer, Input } from 'aisle-client'
import type { Route } from '../route.ts'

/** A search for products; empty properties do not filter. */
export interface ProductQuery {
  readonly words: string
  /** A category path such as `Tools > Drills`. */
  readonly category: string
  readonly manufacturer: string
  readonly vendor: string
}

export const queryOf = ({ q, category, manufacturer, vendor }: Route): ProductQuery => ({
  ...{ words: q ?? '', category: category ?? '' },
  ...{ manufacturer: manufacturer ?? '', vendor: vendor ?? '' },
})

/** The search as parameters of an address. */
export function routeOf({ words, ...narrowing }: ProductQuery): Partial<Route> {
  const said = Object.entries({ q: words, ...narrowing }).filter(([, text]) => text !== '')
  return Object.fromEntries(said)
}

export const isEverything = (query: ProductQuery): boolean =>
  Object.values(query).every((text) => text === '')

/** The search as Search, Update Products and Delete Products expect it. */
export const searchOf = ({ words, category, manufacturer, vendor }: ProductQuery) =>
  ({
    keywords: words,
    ...(category ? { must: [{ type: 'categoryPath', value: category }] } : {}),
    ...(manufacturer ? { manufacturer: [manufacturer] } : {}),
    ...(vendor ? { vendors: [vendor] } : {}),
  }) satisfies Input<'updateProducts'>['search']

/** A description of the search for people. */
export function describeQuery(query: ProductQuery, catalog: string): string {
  const { words, category, manufacturer, vendor } = query
  const where = [
    category ? `in ${category}` : '',
    manufacturer ? `by ${manufacturer}` : '',
    vendor ? `offered by ${vendor}` : '',
  ].filter(Boolean)
  const what = words ? `All results for “${words}”` : 'All products'
  return isEverything(query) ? `${what} in ${catalog}` : [what, ...where].join(' ')
}

type Metadata = NonNullable<Answer<'search'>['metadata']>
type Branch = NonNullable<Metadata['categoryTree']>[number]

/** A value that can be selected. */
export interface Choice {
  readonly value: string
  readonly label: string
  readonly count: number
}

/** The choices of each filter, most frequent first; categories are indented by level. */
export const choicesOf = ({ categoryTree = [], lists }: Metadata) => ({
  category: branchChoices(categoryTree, 0),
  manufacturer: choices(lists?.manufacturers ?? []),
  vendor: choices(lists?.vendors ?? []),
})

const choices = (values: readonly { readonly value: string; readonly count: number }[]): Choice[] =>
  values.map(({ value, count }) => ({ value, label: value, count }))

const branchChoices = (branches: readonly Branch[], depth: number): Choice[] =>
  branches.flatMap(({ path, name, count, children }) => [
    // Browsers collapse leading spaces, but not em spaces.
    { value: path, label: `${'\u2003'.repeat(depth)}${name}`, count },
    ...branchChoices(children, depth + 1),
  ])
