import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { useStore } from '../../shop/store.ts'
import { Notice } from '../../ui/states.tsx'
import { chosenCatalog, useConsole, useGo } from '../console.ts'
import { formatRoute } from '../route.ts'

interface PageProps {
  readonly title: string
  readonly lead?: ComponentChildren
  /** Shown beside the title. */
  readonly aside?: ComponentChildren
  readonly children: ComponentChildren
}

export function Page({ title, lead, aside, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Aisle console`
  }, [title])
  return (
    <>
      <div class="page-head">
        <div>
          <h1>{title}</h1>
          {lead && <p class="lead">{lead}</p>}
        </div>
        {aside}
      </div>
      {children}
    </>
  )
}

/** The catalog that the screen shows; undefined if the organization has none. */
export function useCatalog(): string | undefined {
  const { route, catalogs, organization } = useConsole()
  return chosenCatalog(useStore(route), useStore(catalogs), organization)
}

/** Selects the catalog that the screen shows. */
export function CatalogPicker() {
  const { catalogs, route } = useConsole()
  const names = useStore(catalogs)
  const { page, tab } = useStore(route)
  const catalog = useCatalog()
  const go = useGo()
  return (
    <label class="picker">
      Catalog
      <select
        value={catalog}
        onChange={({ currentTarget }) =>
          go({ page, catalog: currentTarget.value, ...(tab ? { tab } : {}) })
        }
      >
        {names.map(({ name }) => (
          <option key={name}>{name}</option>
        ))}
      </select>
    </label>
  )
}

export const NoCatalog = () => (
  <Notice title="No catalogs yet">
    <p>Import a file to create your first catalog.</p>
    <a class="button is-main" href={formatRoute({ page: 'import' })}>
      Import a file
    </a>
  </Notice>
)
