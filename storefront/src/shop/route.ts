import { facetAttribute, facetName, numberAttribute, numberName } from 'aisle-client'

type Page = 'lists' | 'favorites'

const isPage = (name: string | null): name is Page => name === 'lists' || name === 'favorites'

/** The content of an address: a product, or a search with its filters. */
export interface Route {
  readonly product?: string
  readonly page?: Page
  readonly search: SearchRoute
}

/** The state of InstantSearch's index, as far as the storefront uses it. */
export interface SearchRoute {
  readonly query?: string
  readonly sortBy?: string
  readonly page?: number
  readonly hierarchicalMenu?: Record<string, string[]>
  readonly refinementList?: Record<string, string[]>
  readonly range?: Record<string, string>
  readonly toggle?: Record<string, boolean>
}

/** Sort orders that an address can contain. */
export const SORTS = ['price', '-price', 'name', 'updated', 'popularity'] as const

const CATEGORY = 'categories.lvl0'
const SEPARATOR = ' > '

/** Facets with a short name in addresses; others are `f.<name>`, and numbers `n.<name>`. */
const LISTS: Readonly<Record<string, string>> = { manufacturer: 'brand', vendor: 'vendor' }

/** Formats the query of an address, such as `?q=drill&brand=Brennick&f.Battery+voltage=18+V`. */
export function formatRoute({ product, page, search }: Route): string {
  const query = new URLSearchParams()
  if (product !== undefined) query.set('product', product)
  else if (page) query.set('page', page)
  else writeSearch(query, search)
  const text = query.toString()
  return text === '' ? '' : `?${text}`
}

function writeSearch(query: URLSearchParams, search: SearchRoute) {
  if (search.query) query.set('q', search.query)
  const category = search.hierarchicalMenu?.[CATEGORY] ?? []
  if (category.length > 0) query.set('category', category.join(SEPARATOR))
  for (const [attribute, values] of Object.entries(search.refinementList ?? {})) {
    const name = facetName(attribute)
    for (const value of values) query.append(name ? `f.${name}` : LISTS[attribute]!, value)
  }
  for (const [attribute, range] of Object.entries(search.range ?? {})) {
    const name = numberName(attribute)
    query.set(name ? `n.${name}` : attribute, range)
  }
  if (search.toggle?.inStock) query.set('stock', '1')
  if (search.sortBy?.includes('/')) query.set('sort', search.sortBy.split('/')[1]!)
  if (search.page && search.page > 1) query.set('p', String(search.page))
}

/** Parses the query of an address; ignores what it does not know. */
export function parseRoute(text: string, catalog: string): Route {
  const query = new URLSearchParams(text)
  const product = query.get('product')
  if (product !== null) return { product, search: {} }
  const page = query.get('page')
  if (isPage(page)) return { page, search: {} }
  const refinementList: Record<string, string[]> = {}
  const range: Record<string, string> = {}
  const add = (attribute: string, value: string) => {
    refinementList[attribute] = [...(refinementList[attribute] ?? []), value]
  }
  for (const [key, value] of query) {
    const list = Object.keys(LISTS).find((attribute) => LISTS[attribute] === key)
    if (list) add(list, value)
    else if (key.startsWith('f.')) add(facetAttribute(key.slice(2)), value)
    else if (key.startsWith('n.') && isRange(value)) range[numberAttribute(key.slice(2))] = value
    else if (key === 'price' && isRange(value)) range.price = value
  }
  const category = query.get('category')
  const sort = query.get('sort')
  const number = Number(query.get('p') ?? 1)
  return {
    search: {
      query: query.get('q') ?? '',
      ...(category ? { hierarchicalMenu: { [CATEGORY]: category.split(SEPARATOR) } } : {}),
      ...(Object.keys(refinementList).length > 0 ? { refinementList } : {}),
      ...(Object.keys(range).length > 0 ? { range } : {}),
      ...(query.get('stock') === '1' ? { toggle: { inStock: true } } : {}),
      ...(SORTS.some((name) => name === sort) ? { sortBy: `${catalog}/${sort}` } : {}),
      ...(Number.isInteger(number) && number > 1 ? { page: number } : {}),
    },
  }
}

const isRange = (text: string): boolean => {
  const ends = text.split(':')
  return ends.length === 2 && ends.every((end) => end === '' || Number.isFinite(Number(end)))
}
