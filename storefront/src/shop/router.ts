import type { UiState } from 'instantsearch.js'
import { formatRoute, parseRoute, type Route, type SearchRoute } from './route.ts'
import { createStore, type Store } from './store.ts'

const TYPING_MS = 400

export interface ShopRouter {
  /** The current route. */
  readonly route: Store<Route>
  /** Address of a product, a page or a search of the shop, for links. */
  href(to: Partial<Route>): string
  /** Navigates to an address of the shop, as a link does. */
  go(address: string): void
  /** Closes the product and shows the search. */
  showSearch(): void
  /** The router and the state mapping for InstantSearch. */
  readonly routing: {
    readonly router: ReturnType<typeof addressRouter>
    readonly stateMapping: ReturnType<typeof stateMapping>
  }
}

const isSearch = ({ product, page }: Route): boolean => product === undefined && page === undefined

/** Keeps the search and the open product in the address. */
export function createRouter(catalog: string): ShopRouter {
  const here = () => parseRoute(location.search, catalog)
  const route = createStore<Route>(here())
  const router = addressRouter(catalog, route)
  const arrive = (scroll: number) => {
    const next = here()
    route.set(next)
    // Opening a product leaves the search as it is, so that going back shows it again.
    if (isSearch(next)) router.tell(next.search)
    requestAnimationFrame(() => scrollTo(0, scroll))
  }
  history.scrollRestoration = 'manual'
  addEventListener('popstate', ({ state }) => {
    router.forget()
    arrive(state?.scroll ?? 0)
  })
  return {
    route,
    href: (to) => formatRoute({ search: {}, ...to }) || './',
    go(address) {
      router.forget()
      history.replaceState({ scroll: scrollY }, '')
      history.pushState(null, '', address)
      arrive(0)
    },
    showSearch() {
      if (isSearch(route.get())) return
      router.push()
      route.set({ search: {} })
    },
    routing: { router, stateMapping: stateMapping(catalog) },
  }
}

/** Typing replaces the address after a pause; choosing a filter adds an entry to the history. */
function addressRouter(catalog: string, route: Store<Route>) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let listener: ((search: SearchRoute) => void) | undefined
  let mustPush = false
  const save = (search: SearchRoute) => {
    const address = formatRoute({ search })
    const to = address || location.pathname
    const pushes = mustPush
    mustPush = false
    if (address === formatRoute(parseRoute(location.search, catalog))) return
    if (pushes) history.pushState(null, '', to)
    else history.replaceState(history.state, '', to)
  }
  return {
    $$type: 'aisle.address',
    read: (): SearchRoute => route.get().search,
    write(search: SearchRoute) {
      clearTimeout(timer)
      const shown = route.get()
      if (!isSearch(shown)) return
      const typed = shown.search.query !== search.query
      const goesOn = typed && Boolean(shown.search.query) && Boolean(search.query)
      route.set({ search })
      if (!goesOn) mustPush = true
      if (typed) timer = setTimeout(() => save(search), TYPING_MS)
      else save(search)
    },
    createURL: (search: SearchRoute): string => formatRoute({ search }) || './',
    onUpdate(tell: (search: SearchRoute) => void) {
      listener = tell
    },
    dispose() {
      listener = undefined
    },
    tell: (search: SearchRoute) => listener?.(search),
    forget() {
      clearTimeout(timer)
      mustPush = false
    },
    push() {
      mustPush = true
    },
  }
}

const stateMapping = (catalog: string) => ({
  $$type: 'aisle.index',
  stateToRoute: (state: UiState): SearchRoute => state[catalog] ?? {},
  routeToState: (search: SearchRoute): UiState => ({ [catalog]: search }),
})
