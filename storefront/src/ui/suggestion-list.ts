import type { Route } from '../shop/route.ts'
import type { Suggestions } from '../shop/types.ts'

/** An entry of the suggestion list. */
export interface Suggestion {
  readonly id: string
  readonly text: string
  readonly detail?: string | undefined
  readonly image?: string | null
  readonly kind: 'recent' | 'query' | 'category' | 'product'
  /** The query to search for. */
  readonly keywords?: string
  /** The route to open, for entries that are not searches. */
  readonly route?: Partial<Route>
}

export interface SuggestionGroup {
  readonly title: string
  readonly suggestions: readonly Suggestion[]
}

const QUERIES = 5
const CATEGORIES = 4

/** The groups of the list: recent and popular searches for an empty text, else suggestions. */
export function suggestionGroups(
  text: string,
  recent: readonly string[],
  { queries = [], categories = [], products = [] }: Suggestions,
  price: (amount: number) => string,
): SuggestionGroup[] {
  if (text.trim() === '') {
    const lines = recent.map((keywords, at) => line(`recent-${at}`, 'recent', keywords))
    const own = recent.map((keywords) => keywords.toLowerCase())
    // Only searches of other users; skip those derived from the catalog.
    const popular = queries
      .filter(({ keywords, source }) => source === 'history' && !own.includes(keywords))
      .slice(0, QUERIES)
      .map(({ keywords }, at) => line(`popular-${at}`, 'query', keywords))
    return shown([
      { title: 'Recent searches', suggestions: lines },
      { title: 'Popular searches', suggestions: popular },
    ])
  }
  return shown([
    {
      title: 'Suggested searches',
      suggestions: queries
        .slice(0, QUERIES)
        .map(({ keywords }, at) => line(`query-${at}`, 'query', keywords)),
    },
    {
      title: 'Categories',
      suggestions: categories.slice(0, CATEGORIES).map((found, at) => ({
        id: `category-${at}`,
        kind: 'category',
        text: [...(found.manufacturer ?? []), found.name].join(' '),
        detail: String(found.products),
        route: {
          search: {
            hierarchicalMenu: { 'categories.lvl0': levelsOf(found) },
            ...(found.manufacturer
              ? { refinementList: { manufacturer: [...found.manufacturer] } }
              : {}),
          },
        },
      })),
    },
    {
      title: 'Products',
      suggestions: products.map(({ id, name, image, price: amount }) => ({
        id: `product-${id}`,
        kind: 'product',
        text: name ?? id,
        detail: amount === null ? undefined : price(amount),
        image,
        route: { product: id },
      })),
    },
  ])
}

type Category = NonNullable<Suggestions['categories']>[number]

const levelsOf = ({ segment, category, subCategory }: Category): string[] =>
  [segment, category, subCategory].filter((level) => level !== undefined)

const line = (id: string, kind: Suggestion['kind'], keywords: string): Suggestion => ({
  id,
  kind,
  text: keywords,
  keywords,
})

const shown = (groups: SuggestionGroup[]): SuggestionGroup[] =>
  groups.filter(({ suggestions }) => suggestions.length > 0)
