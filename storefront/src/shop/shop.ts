import { type Connection, reportChoice } from 'aisle-client'
import { createContext } from 'preact'
import { useCallback, useContext } from 'preact/hooks'
import { type Lapse, lapsingFetch } from './lapse.ts'
import { createRouter, type ShopRouter } from './router.ts'
import { createShopSearch, type ShopSearch } from './search.ts'
import { keptAccess, type Session, type Settings, type StoredAccess, signIn } from './session.ts'
import { type Store, useStore } from './store.ts'
import type { Product } from './types.ts'

/** Address of a picture, as attributes of an `<img>`. */
interface PictureSource {
  readonly src: string
  /** The widths that the service stores; absent for other pictures. */
  readonly srcset?: string
}

/** What every part of the page can use. */
export interface Shop {
  readonly settings: Settings
  readonly session: Session
  readonly connection: Connection
  /** Set while the visitor's key has expired and they are asked to sign in again. */
  readonly lapse: Store<Lapse<StoredAccess> | undefined>
  readonly router: ShopRouter
  readonly search: ShopSearch
  /** Address of a picture as this page reaches it; undefined if it cannot be reached. */
  picture(url: string): PictureSource | undefined
  /** Formats an amount, in the catalog's currency unless another (ISO 4217) is given. */
  price(amount: number, currency?: string): string
  /** Reports to the service that a product was chosen from the present results. */
  reportChoice(product: Pick<Product, 'id'>, kind?: 'click' | 'cart'): void
}

export function createShop(settings: Settings, session: Session): Shop {
  const { access } = session
  const { connection, lapse } = connect(session)
  const router = createRouter(access.catalog)
  const search = createShopSearch(connection, access.catalog, router)
  return {
    ...{ settings, session, connection, lapse, router, search },
    picture: (url) => pictureSource(url, settings.publicUrl),
    price: (amount, currency = session.currency) => moneyIn(currency).format(amount),
    reportChoice({ id }, kind = 'click') {
      const { searchId, products = [] } = search.results.get()?.answer ?? {}
      if (!searchId || !products.some((product) => product.id === id)) return
      // The page does not wait for the report, and ignores its failure.
      reportChoice(connection, { searchId, productId: id, kind }).catch(() => undefined)
    },
  }
}

/**
 * The connection of the page. It asks signed-in visitors to sign in again when their key has
 * expired.
 */
function connect({ access, isSignedIn, isMember }: Session) {
  let given: StoredAccess = { ...access, isMember }
  const { lapse, fetch } = lapsingFetch<StoredAccess>({
    now: () => given,
    take(next) {
      given = next
      // Do not sign in again somebody who signed out or changed the catalog meanwhile.
      if (keptAccess()?.catalog === next.catalog) signIn(next)
    },
    isAsked: () => isSignedIn,
  })
  const connection: Connection = {
    ...access,
    get key() {
      return given.key
    },
    fetch,
  }
  return { connection, lapse }
}

const formats = new Map<string | undefined, Intl.NumberFormat>()

/** Formats amounts; without a currency as numbers with two decimals. */
function moneyIn(currency: string | undefined): Intl.NumberFormat {
  const known = formats.get(currency)
  if (known) return known
  const made = new Intl.NumberFormat('en', {
    ...(currency
      ? { style: 'currency', currency }
      : { minimumFractionDigits: 2, maximumFractionDigits: 2 }),
  })
  formats.set(currency, made)
  return made
}

const KEPT = /^api\/images\/[\w.-]+$/
const WIDTHS = [160, 480, 960]

/** The service's own pictures are requested from the host of the page. */
function pictureSource(url: string, publicUrl: string): PictureSource | undefined {
  if (!url.startsWith(`${publicUrl}/`)) {
    return /^(https?:\/\/|data:image\/)/i.test(url) ? { src: url } : undefined
  }
  const src = url.slice(publicUrl.length + 1)
  if (!KEPT.test(src)) return { src }
  return { src, srcset: WIDTHS.map((width) => `${src}?width=${width} ${width}w`).join(', ') }
}

export const ShopContext = createContext<Shop | undefined>(undefined)

/**
 * Formats prices of search results: in the currency of the price list in effect, if there is one.
 */
export function useSearchPrice(): (amount: number) => string {
  const { search, price } = useShop()
  const currency = useStore(search.currency)
  return useCallback((amount) => price(amount, currency), [price, currency])
}

export function useShop(): Shop {
  const shop = useContext(ShopContext)
  if (!shop) throw new Error('outside of a shop')
  return shop
}
