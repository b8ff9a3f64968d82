import { getFavorites } from 'aisle-client'
import { useCallback, useEffect, useState } from 'preact/hooks'
import { useShop } from '../shop/shop.ts'
import type { Product } from '../shop/types.ts'
import { Card } from './card.tsx'
import { plural } from './offers.ts'
import { Notice } from './states.tsx'
import { useTold } from './told.tsx'

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
  const { told, tell } = useTold()
  const { catalog } = session.access
  const load = useCallback(
    (before: readonly Product[]) =>
      tell(async () => {
        const page = before.length / PAGE_SIZE
        const next = await getFavorites(connection, { catalog, page, pageSize: PAGE_SIZE })
        setFound({ total: next.total, products: [...before, ...(next.products as Product[])] })
        return undefined
      }),
    [connection, catalog],
  )
  useEffect(() => {
    void load([])
  }, [load])
  if (!found) return <div class="lists">{told}</div>
  const { products, total } = found
  if (total === 0) {
    return (
      <Notice title="No favorites yet">
        <p>Choose “Add to favorites” on a product page to save it here.</p>
        <a class="button is-main" href="./">
          Browse all categories
        </a>
      </Notice>
    )
  }
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
      {told}
    </section>
  )
}
