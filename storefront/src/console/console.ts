import { getCatalogs, getOrganizationDetails } from 'aisle-client'
import { createContext } from 'preact'
import { useCallback, useContext } from 'preact/hooks'
import { createStore, type Store } from '../shop/store.ts'
import { type RenewingConnection, renewingConnection } from './openid/renewing-connection.ts'
import { formatRoute, parseRoute, type Route } from './route.ts'
import type { Signed } from './session.ts'
import type { Catalog, Organization } from './types.ts'

/** The context of every screen. */
export interface Console {
  /** The first parameter of each operation of the client. */
  readonly connection: RenewingConnection['connection']
  readonly lapse: RenewingConnection['lapse']
  readonly organization: Organization
  readonly route: Store<Route>
  readonly catalogs: Store<readonly Catalog[]>
  loadCatalogs(): Promise<void>
  go(address: string): void
  /** Replaces the address without adding to the history or scrolling to the top. */
  turn(address: string): void
}

/** Loads an organization. Throws AisleError if the key has no access to it. */
export async function openConsole(signed: Signed): Promise<Console> {
  const { connection, lapse, watch } = renewingConnection(signed)
  const catalogs = createStore<readonly Catalog[]>([])
  const loadCatalogs = async () => {
    catalogs.set((await getCatalogs(connection)).catalogs)
  }
  const [organization] = await Promise.all([getOrganizationDetails(connection), loadCatalogs()])
  watch()
  const route = createStore(parseRoute(location.search))
  addEventListener('popstate', () => route.set(parseRoute(location.search)))
  return {
    ...{ connection, lapse, organization, route, catalogs, loadCatalogs },
    go(address) {
      history.pushState(null, '', address)
      route.set(parseRoute(location.search))
      scrollTo(0, 0)
    },
    turn(address) {
      history.replaceState(null, '', address)
      route.set(parseRoute(location.search))
    },
  }
}

export const ConsoleContext = createContext<Console | undefined>(undefined)

export function useConsole(): Console {
  const console = useContext(ConsoleContext)
  if (!console) throw new Error('outside of a console')
  return console
}

/** Returns a function that navigates to a route. */
export function useGo() {
  const { go } = useConsole()
  return useCallback((route: Route) => go(formatRoute(route)), [go])
}

/** The catalog named in the address, else the default catalog, else the first one. */
export function chosenCatalog(
  { catalog }: Route,
  catalogs: readonly Catalog[],
  organization: Organization,
): string | undefined {
  const has = (name: string | null | undefined) => catalogs.some((one) => one.name === name)
  if (has(catalog)) return catalog
  if (has(organization.defaultCatalog)) return organization.defaultCatalog!
  return catalogs[0]?.name
}
