import { useEffect } from 'preact/hooks'
import { formatRoute } from '../shop/route.ts'
import { type Shop, ShopContext } from '../shop/shop.ts'
import { useStore } from '../shop/store.ts'
import { Footer } from './footer.tsx'
import { Header } from './header.tsx'
import { Home } from './home.tsx'
import { ListsPage } from './lists.tsx'
import { ProductPage } from './product.tsx'
import { Results } from './results.tsx'

export function App({ shop }: { shop: Shop }) {
  const route = useStore(shop.router.route)
  useLinks(shop)
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

/** Links of the shop change the page without loading it anew. */
function useLinks(shop: Shop) {
  useEffect(() => {
    const follow = (event: MouseEvent) => {
      const { target, button, metaKey, ctrlKey, shiftKey, altKey } = event
      if (event.defaultPrevented || button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return
      const link = target instanceof Element ? target.closest('a') : null
      const address = link?.getAttribute('href')
      if (!address || (address !== './' && !address.startsWith('?'))) return
      event.preventDefault()
      shop.router.go(address)
      document.getElementById('main')?.focus({ preventScroll: true })
    }
    document.addEventListener('click', follow)
    return () => document.removeEventListener('click', follow)
  }, [shop])
}
