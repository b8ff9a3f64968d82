import { useState } from 'preact/hooks'
import type { Route } from '../shop/route.ts'
import { useShop } from '../shop/shop.ts'
import { useStore } from '../shop/store.ts'
import { Icon } from './icons.tsx'
import { SearchBox } from './search-box.tsx'
import { SignInDialog } from './sign-in.tsx'

export function Header() {
  const { session, router } = useShop()
  const route = useStore(router.route)
  const [asks, setAsks] = useState(false)
  const here = (page: Route['page']) =>
    route.page === page && route.product === undefined ? 'page' : undefined
  return (
    <header class="header">
      <div class="header-row">
        <a class="sign" href="./" aria-label="Aisle home">
          <span>Aisle</span>
        </a>
        <SearchBox />
        <div class="header-links">
          {session.isMember && (
            <>
              <a
                class="account"
                href={router.href({ page: 'favorites' })}
                aria-current={here('favorites')}
              >
                <Icon name="heart" />
                <span>Favorites</span>
              </a>
              <a class="account" href={router.href({ page: 'lists' })} aria-current={here('lists')}>
                <Icon name="list" />
                <span>Lists</span>
              </a>
            </>
          )}
          <button type="button" class="account" onClick={() => setAsks(true)}>
            <Icon name="person" />
            <span>{session.isSignedIn ? session.access.catalog : 'Sign in'}</span>
          </button>
        </div>
      </div>
      {asks && <SignInDialog onClose={() => setAsks(false)} />}
    </header>
  )
}
