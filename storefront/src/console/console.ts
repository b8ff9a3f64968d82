import { getCatalogs, getOrganizationDetails } from 'aisle-client'
import { createContext } from 'preact'
import { useCallback, useContext } from 'preact/hooks'
import { createStore, type Store } from '../shop/store.ts'
import { type Lasting, lasting } from './openid/lasting.ts'
import { formatRoute, parseRoute, type Route } from './route.ts'
import type { Signed } from './session.ts'
import type { Catalog, Organization } from './types.ts'

/** What every screen can reach. */
export interface Console {
  /** Who asks; each operation of the client takes it. */
  readonly connection: Lasting['connection']
  readonly lapse: Lasting['lapse']
  readonly organization: Organization
  readonly route: Store<Route>
  readonly catalogs: Store<readonly Catalog[]>
  /** Reads the catalogs anew. */
  loadCatalogs(): Promise<void>
  go(address: string): void
  /** The same, where the screen stays as it is and only what it is about changes. */
  turn(address: string): void
}

/** Opens an organization. Throws AisleError where the key may not read it. */
export async function openConsole(signed: Signed): Promise<Console> {
  const { connection, lapse, watch } = lasting(signed)
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

/** Goes to a screen. */
export function useGo() {
  const { go } = useConsole()
  return useCallback((route: Route) => go(formatRoute(route)), [go])
}

/** The catalog that an address names, else the default one, else the first. */
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
