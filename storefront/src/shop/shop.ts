import { type Connection, reportChoice } from 'aisle-client'
import { createContext } from 'preact'
import { useCallback, useContext } from 'preact/hooks'
import { type Lapse, lapsingFetch } from './lapse.ts'
import { createRouter, type ShopRouter } from './router.ts'
import { createShopSearch, type ShopSearch } from './search.ts'
import { type Given, keptAccess, type Session, type Settings, signIn } from './session.ts'
import { type Store, useStore } from './store.ts'
import type { Product } from './types.ts'

/** Where a picture is, as an `<img>` says it. */
interface PictureSource {
  readonly src: string
  /** Of one that the service keeps: in the widths that it keeps. */
  readonly srcset?: string
}

/** What every part of the page can reach. */
export interface Shop {
  readonly settings: Settings
  readonly session: Session
  readonly connection: Connection
  /** Set while the key has ended with which somebody signed in. */
  readonly lapse: Store<Lapse<Given> | undefined>
  readonly router: ShopRouter
  readonly search: ShopSearch
  /** Where a picture of the catalog is, as this page reaches it; undefined where that is nowhere. */
  picture(url: string): PictureSource | undefined
  /** An amount as it is written, in a currency (ISO 4217) other than the catalog's where one is given. */
  price(amount: number, currency?: string): string
  /** Tells the service that a product was chosen from its search's answer. */
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
      // Nobody waits for a count.
      reportChoice(connection, { searchId, productId: id, kind }).catch(() => undefined)
    },
  }
}

/** As whom the page asks. Who signed in is asked to do so again when their key has ended. */
function connect({ access, isSignedIn, isMember }: Session) {
  let given: Given = { ...access, isMember }
  const { lapse, fetch } = lapsingFetch<Given>({
    now: () => given,
    take(next) {
      given = next
      // Who signed out meanwhile, or went to another catalog, stays so.
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

/** Without a currency amounts are numbers with two digits. */
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

/** The service's own pictures are asked of the host that the page came from. */
function pictureSource(url: string, publicUrl: string): PictureSource | undefined {
  if (!url.startsWith(`${publicUrl}/`)) {
    return /^(https?:\/\/|data:image\/)/i.test(url) ? { src: url } : undefined
  }
  const src = url.slice(publicUrl.length + 1)
  if (!KEPT.test(src)) return { src }
  return { src, srcset: WIDTHS.map((width) => `${src}?width=${width} ${width}w`).join(', ') }
}

export const ShopContext = createContext<Shop | undefined>(undefined)

/** Writes prices as searches answer them: in the currency of the price list in effect, where there is one. */
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
