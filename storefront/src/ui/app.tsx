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
import { useLinks } from './use-links.ts'

const isShop = (address: string): boolean => address === './' || address.startsWith('?')

export function App({ shop }: { shop: Shop }) {
  const route = useStore(shop.router.route)
  useLinks(isShop, shop.router.go)
  const isHome = route.product === undefined && formatRoute(route) === ''
  return (
    <ShopContext.Provider value={shop}>
      <a class="skip" href="#main">
        Skip to the products
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
    </ShopContext.Provider>
  )
}
