import { useEffect, useRef, useState } from 'preact/hooks'
import { useStore } from '../shop/store.ts'
import { Icon } from '../ui/icons.tsx'
import { Notice } from '../ui/states.tsx'
import { useLinks } from '../ui/use-links.ts'
import { type Console, ConsoleContext } from './console.ts'
import { OrganizationDialog } from './organization-dialog.tsx'
import { formatRoute } from './route.ts'
import { SCREENS } from './screens.ts'
import { SignedOut } from './signed-out.tsx'

const isConsole = (address: string): boolean => address.startsWith('?')

export function App({ console }: { console: Console }) {
  const { page, catalog } = useStore(console.route)
  useLinks(isConsole, console.go)
  const screen = SCREENS.find((one) => one.page === page)
  const menu = useRef<HTMLElement>(null)
  // On narrow screens the menu scrolls horizontally.
  useEffect(() => {
    const entry = menu.current?.querySelector<HTMLElement>('[aria-current]')
    if (page && entry) menu.current!.scrollLeft = entry.offsetLeft - 40
  }, [page])
  return (
    <ConsoleContext.Provider value={console}>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <Header console={console} />
      <div class="frame">
        <nav ref={menu} class="menu" aria-label="Main">
          {SCREENS.map((one) => (
            <a
              key={one.page}
              href={formatRoute({ page: one.page, ...(catalog ? { catalog } : {}) })}
              aria-current={one.page === page ? 'page' : undefined}
            >
              <Icon name={one.icon} />
              {one.title}
            </a>
          ))}
        </nav>
        <main id="main" tabIndex={-1}>
          {screen ? (
            <screen.Page key={page} />
          ) : (
            <Notice title="Page not found">
              <p>Choose a page from the menu.</p>
            </Notice>
          )}
        </main>
      </div>
      <SignedOut />
    </ConsoleContext.Provider>
  )
}

function Header({ console: { organization } }: { console: Console }) {
  const [asks, setAsks] = useState(false)
  return (
    <header class="header">
      <div class="header-row">
        <a class="sign" href="./" aria-label="Aisle storefront">
          <span>Aisle</span>
        </a>
        <p class="header-title">Console</p>
        <button type="button" class="account" onClick={() => setAsks(true)}>
          <Icon name="person" />
          <span>{organization.name}</span>
        </button>
      </div>
      {asks && <OrganizationDialog onClose={() => setAsks(false)} />}
    </header>
  )
}
