import { type Connection, reportChoice } from 'aisle-client'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { createRouter, type ShopRouter } from './router.ts'
import { createShopSearch, type ShopSearch } from './search.ts'
import type { Session, Settings } from './session.ts'
import type { Product } from './types.ts'

/** What every part of the page can reach. */
export interface Shop {
  readonly settings: Settings
  readonly session: Session
  readonly connection: Connection
  readonly router: ShopRouter
  readonly search: ShopSearch
  /** Where a picture of the catalog is, as this page reaches it; undefined where that is nowhere. */
  picture(url: string): string | undefined
  price(amount: number): string
  /** Tells the service that a product was chosen from its search's answer. */
  reportChoice(product: Pick<Product, 'id'>, kind?: 'click' | 'cart'): void
}

export function createShop(settings: Settings, session: Session): Shop {
  const { access, currency } = session
  const connection: Connection = access
  const router = createRouter(access.catalog)
  const search = createShopSearch(connection, access.catalog, router)
  const money = new Intl.NumberFormat('en', {
    ...(currency ? { style: 'currency', currency } : {}),
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  })
  return {
    ...{ settings, session, connection, router, search },
    picture: (url) => pictureAddress(url, settings.publicUrl),
    price: (amount) => money.format(amount),
    reportChoice({ id }, kind = 'click') {
      const { searchId, products = [] } = search.results.get()?.answer ?? {}
      if (!searchId || !products.some((product) => product.id === id)) return
      // Nobody waits for a count.
      reportChoice(connection, { searchId, productId: id, kind }).catch(() => undefined)
    },
  }
}

/** The service's own pictures are asked of the host that the page came from. */
function pictureAddress(url: string, publicUrl: string): string | undefined {
  if (url.startsWith(`${publicUrl}/`)) return url.slice(publicUrl.length + 1)
  return /^(https?:\/\/|data:image\/)/i.test(url) ? url : undefined
}

export const ShopContext = createContext<Shop | undefined>(undefined)

export function useShop(): Shop {
  const shop = useContext(ShopContext)
  if (!shop) throw new Error('outside of a shop')
  return shop
}
