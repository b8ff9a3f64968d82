import { aisleSearchClient, CATEGORY_LEVELS, type Connection } from 'aisle-client'
import instantsearch from 'instantsearch.js'
import connectClearRefinements, {
  type ClearRefinementsRenderState,
} from 'instantsearch.js/es/connectors/clear-refinements/connectClearRefinements'
import connectConfigure from 'instantsearch.js/es/connectors/configure/connectConfigure'
import connectCurrentRefinements, {
  type CurrentRefinementsRenderState,
} from 'instantsearch.js/es/connectors/current-refinements/connectCurrentRefinements'
import connectHierarchicalMenu, {
  type HierarchicalMenuRenderState,
} from 'instantsearch.js/es/connectors/hierarchical-menu/connectHierarchicalMenu'
import connectHits from 'instantsearch.js/es/connectors/hits/connectHits'
import connectPagination, {
  type PaginationRenderState,
} from 'instantsearch.js/es/connectors/pagination/connectPagination'
import connectSearchBox from 'instantsearch.js/es/connectors/search-box/connectSearchBox'
import connectSortBy, {
  type SortByRenderState,
} from 'instantsearch.js/es/connectors/sort-by/connectSortBy'
import connectToggleRefinement, {
  type ToggleRefinementRenderState,
} from 'instantsearch.js/es/connectors/toggle-refinement/connectToggleRefinement'
import { connectFacets, type FacetsState } from './connect-facets.ts'
import { connectRanges, type RangesState } from './connect-ranges.ts'
import { messageOf } from './failure.ts'
import { SORTS } from './route.ts'
import type { ShopRouter } from './router.ts'
import { createStore } from './store.ts'
import type { SearchAnswer } from './types.ts'

/** An answer, and the query that it belongs to. */
interface Results {
  readonly answer: SearchAnswer
  readonly query: string
  readonly page: number
}

/** State of the search; a failure has the message to show. */
type Status =
  | { readonly kind: 'loading' | 'stalled' | 'idle' }
  | { readonly kind: 'failed'; readonly message: string }

const PAGE_SIZE = 24

const SORT_LABELS: Readonly<Record<(typeof SORTS)[number], string>> = {
  price: 'Price: low to high',
  '-price': 'Price: high to low',
  name: 'Name: A to Z',
  updated: 'Recently updated',
  popularity: 'Most popular',
}

/**
 * InstantSearch over a catalog of Aisle; each of its widgets is a store that the page subscribes
 * to.
 */
export function createShopSearch(connection: Connection, catalog: string, { routing }: ShopRouter) {
  const explains = createStore(false)
  const results = createStore<Results | undefined>(undefined)
  /** Currency of the price list in effect; undefined if the general prices apply. */
  const currency = createStore<string | undefined>(undefined)
  const status = createStore<Status>({ kind: 'loading' })
  const facets = createStore<FacetsState | undefined>(undefined)
  const ranges = createStore<RangesState | undefined>(undefined)
  const categories = createStore<HierarchicalMenuRenderState | undefined>(undefined)
  const chosen = createStore<CurrentRefinementsRenderState | undefined>(undefined)
  const clear = createStore<ClearRefinementsRenderState | undefined>(undefined)
  const sort = createStore<SortByRenderState | undefined>(undefined)
  const stock = createStore<ToggleRefinementRenderState | undefined>(undefined)
  const pages = createStore<PaginationRenderState | undefined>(undefined)
  const query = createStore('')

  const search = instantsearch({
    indexName: catalog,
    searchClient: aisleSearchClient(connection),
    routing,
    future: { preserveSharedStateOnUnmount: true },
  })
  search.addWidgets([
    connectSearchBox((box) => {
      // After a failure InstantSearch returns to the previous query; the search box keeps the new
      // one.
      if (search.status !== 'error') query.set(box.query)
    })({}),
    connectConfigure(() => undefined)({
      searchParameters: {
        ...{ hitsPerPage: PAGE_SIZE, clickAnalytics: true, userToken: visitor() },
        // Show one hit for all variants of a product.
        distinct: true,
      },
    }),
    connectHits(({ results: found }) => {
      const { aisle } = (found?._rawResults[0] ?? {}) as { aisle?: SearchAnswer }
      // InstantSearch renders each answer again when the next one is requested.
      if (!found || !aisle || aisle === results.get()?.answer) return
      currency.set(aisle.priceList?.currency)
      results.set({ answer: aisle, query: found.query, page: found.page })
    })({ escapeHTML: false }),
    connectFacets(facets.set),
    connectRanges(ranges.set),
    connectHierarchicalMenu(categories.set)({
      attributes: [...CATEGORY_LEVELS],
      limit: 100,
      sortBy: ['count:desc', 'name:asc'],
    }),
    connectCurrentRefinements(chosen.set)({}),
    connectClearRefinements(clear.set)({}),
    connectSortBy(sort.set)({
      items: [
        { label: 'Best match', value: catalog },
        ...SORTS.map((name) => ({ label: SORT_LABELS[name], value: `${catalog}/${name}` })),
      ],
    }),
    connectToggleRefinement(stock.set)({ attribute: 'inStock' }),
    connectPagination(pages.set)({ padding: 2 }),
  ])
  search.on('render', () => {
    if (search.status !== 'error') status.set({ kind: search.status })
  })
  search.on('error', ({ error }: { error: Error }) => {
    status.set({ kind: 'failed', message: messageOf(error) })
  })

  let asked: Parameters<typeof ask> | undefined
  const ask = (text: string, queryType: 'prefixLast' | 'prefixNone') => {
    asked = [text, queryType]
    const helper = search.helper!
    const isAsked = helper.state.query === text && helper.state.queryType === queryType
    // Show the text at once; the results follow.
    query.set(text)
    if (!isAsked) helper.setQueryParameter('queryType', queryType).setQuery(text).search()
  }

  let narrowedFor = { choices: '', words: '' }
  /** The query for which the present filters were chosen. */
  const wordsOfFilters = () => {
    const items = chosen.get()?.items ?? []
    const choices = JSON.stringify(
      items.map(({ attribute, refinements }) => [attribute, refinements.map(({ value }) => value)]),
    )
    if (choices !== narrowedFor.choices) {
      narrowedFor = { choices, words: search.helper!.state.query ?? '' }
    }
    return narrowedFor.words.trim()
  }
  return {
    ...{
      results,
      currency,
      status,
      facets,
      ranges,
      categories,
      chosen,
      clear,
      sort,
      stock,
      pages,
      query,
      explains,
    },
    start: () => search.start(),
    /** Searches at each keystroke; the last word may be incomplete. */
    type(text: string) {
      wordsOfFilters()
      ask(text, 'prefixLast')
    },
    /**
     * Searches complete words. Clears filters chosen for another query, except the one for stock.
     */
    submit(text: string) {
      if (text !== '' && text !== wordsOfFilters()) {
        search.helper!.clearRefinements((_value, attribute) => attribute !== 'inStock')
      }
      ask(text, 'prefixNone')
    },
    /** Turns the explanation of each hit's rank on or off. */
    explain(isWanted: boolean) {
      explains.set(isWanted)
      search.helper!.setQueryParameter('getRankingInfo', isWanted || undefined).search()
    },
    /** Repeats the search after a failure. */
    again() {
      if (asked && asked[0] !== search.helper!.state.query) ask(...asked)
      else search.refresh()
    },
  }
}

export type ShopSearch = ReturnType<typeof createShopSearch>

/** Identifies a visitor who uses the demo's key, for as long as a tab is open. */
function visitor(): string {
  const kept = sessionStorage.getItem('aisle.visitor') ?? randomId()
  sessionStorage.setItem('aisle.visitor', kept)
  return kept
}

/** `crypto.randomUUID` exists only on https and localhost. */
const randomId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
