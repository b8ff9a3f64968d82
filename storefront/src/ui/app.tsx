import { useRef } from 'preact/hooks'
import { formatRoute } from '../shop/route.ts'
import { type Shop, ShopContext } from '../shop/shop.ts'
import { useStore } from '../shop/store.ts'
import { FavoritesPage } from './favorites.tsx'
import { Footer } from './footer.tsx'
import { Header } from './header.tsx'
import { Home } from './home.tsx'
import { ListsPage } from './lists.tsx'
import { ProductPage } from './product.tsx'
import { Results } from './results.tsx'
import { SignedOut } from './signed-out.tsx'
import { useLinks } from './use-links.ts'

const isShop = (address: string): boolean => address === './' || address.startsWith('?')

/** Keeps the previous view until results arrive: each view would draw the other's results wrongly. */
function useHome({ search }: Shop, isNext: boolean): boolean {
  const { kind } = useStore(search.status)
  const isShown = useRef(isNext)
  if (kind !== 'loading') isShown.current = isNext
  return isShown.current
}

export function App({ shop }: { shop: Shop }) {
  const route = useStore(shop.router.route)
  useLinks(isShop, shop.router.go)
  const isHome = useHome(shop, route.product === undefined && formatRoute(route) === '')
  return (
    <ShopContext.Provider value={shop}>
      <a class="skip" href="#main">
        Skip to main content
      </a>
      <Header />
      <main id="main" tabIndex={-1}>
        {route.product !== undefined ? (
          <ProductPage key={route.product} id={route.product} />
        ) : route.page === 'lists' ? (
          <ListsPage />
        ) : route.page === 'favorites' ? (
          <FavoritesPage />
        ) : isHome ? (
          <Home />
        ) : (
          <Results />
        )}
      </main>
      <Footer />
      <SignedOut />
    </ShopContext.Provider>
  )
}
