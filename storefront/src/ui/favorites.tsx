import { getFavorites } from 'aisle-client'
import { useCallback, useEffect, useState } from 'preact/hooks'
import { messageOf } from '../shop/failure.ts'
import { useShop } from '../shop/shop.ts'
import type { Product } from '../shop/types.ts'
import { Card } from './card.tsx'
import { plural } from './offers.ts'
import { Failed, Loading, Notice } from './states.tsx'

const PAGE_SIZE = 24

interface Found {
  readonly products: readonly Product[]
  readonly total: number
}

/** The favorites of the user or the organization in this catalog. */
export function FavoritesPage() {
  const { session } = useShop()
  useEffect(() => {
    document.title = 'Favorites · Aisle'
  }, [])
  if (!session.isMember) {
    return (
      <Notice title="Sign in to save favorites">
        <p>
          You’re browsing with a search-only key. Sign in with your personal key to save favorites.
        </p>
      </Notice>
    )
  }
  return <OwnFavorites />
}

function OwnFavorites() {
  const { connection, session } = useShop()
  const [found, setFound] = useState<Found>()
  const [problem, setProblem] = useState('')
  const { catalog } = session.access
  const load = useCallback(
    async (before: readonly Product[]) => {
      try {
        const page = before.length / PAGE_SIZE
        const next = await getFavorites(connection, { catalog, page, pageSize: PAGE_SIZE })
        setFound({ total: next.total, products: [...before, ...(next.products as Product[])] })
        setProblem('')
      } catch (error) {
        setProblem(messageOf(error))
      }
    },
    [connection, catalog],
  )
  useEffect(() => {
    void load([])
  }, [load])
  if (!found || found.total === 0) {
    return (
      <div class="lists">
        <h1>Favorites</h1>
        {found ? (
          <NoFavorites />
        ) : problem ? (
          <Failed
            title="We couldn’t load your favorites"
            problem={problem}
            retry={() => load([])}
          />
        ) : (
          <Loading />
        )}
      </div>
    )
  }
  const { products, total } = found
  return (
    <section class="found" aria-labelledby="favorites">
      <div class="found-head">
        <h1 id="favorites">Favorites</h1>
        <p class="found-count">{plural(total, 'product')}</p>
      </div>
      <ul class="grid" aria-label="Favorites">
        {products.map((product) => (
          <Card key={product.id} product={product} eager={false} />
        ))}
      </ul>
      {products.length < total && (
        <p class="more-found">
          <button type="button" class="button" onClick={() => load(products)}>
            Show more
          </button>
        </p>
      )}
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </section>
  )
}

const NoFavorites = () => (
  <Notice title="No favorites yet">
    <p>Choose “Add to favorites” on a product page to save it here.</p>
    <a class="button is-main" href="./">
      Browse all categories
    </a>
  </Notice>
)
