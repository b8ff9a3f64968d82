import { count as countProducts, deleteCatalog, updateCatalog } from 'aisle-client'
import { useCallback, useState } from 'preact/hooks'
import { signIn } from '../../shop/session.ts'
import { useStore } from '../../shop/store.ts'
import { count } from '../../ui/offers.ts'
import { Switch } from '../../ui/switch.tsx'
import { useConsole } from '../console.ts'
import { Confirm } from '../parts/dialog.tsx'
import { Page } from '../parts/page.tsx'
import { Table } from '../parts/table.tsx'
import { ActionStatus, useAction } from '../parts/use-action.tsx'
import { useLoaded } from '../parts/use-loaded.tsx'
import { formatRoute } from '../route.ts'
import type { Catalog } from '../types.ts'
import { CatalogIndex } from './catalog-index.tsx'
import { CreateCatalog, languageName } from './create-catalog.tsx'
import { type Moves, useMoves } from './use-moves.ts'

/** The catalogs of the organization, with a form to create one. */
export function CatalogsPage() {
  const { catalogs, organization } = useConsole()
  const all = useStore(catalogs)
  const [going, setGoing] = useState<string>()
  const moves = useMoves()
  // If all catalogs share one index, users need not know about indices.
  const hasIndices =
    organization.role === 'operator' ||
    all.some(({ name, shards }) => shards !== undefined || moves.of(name))
  const heads = ['Name', 'Products#', 'Language', ...(hasIndices ? ['Index'] : [])]
  return (
    <Page
      title="Catalogs"
      lead="A catalog holds the products that a shop searches, with their vendor offers."
    >
      {all.length === 0 ? (
        <p>No catalogs yet. Create one below, or import a file to create it along the way.</p>
      ) : (
        <Table label="Catalogs" heads={[...heads, 'Searchable', 'Actions']}>
          {all.map((catalog) => (
            <Row
              key={catalog.name}
              catalog={catalog}
              moves={hasIndices ? moves : undefined}
              onDelete={() => setGoing(catalog.name)}
            />
          ))}
        </Table>
      )}
      <section class="step" aria-labelledby="create">
        <h2 id="create">New catalog</h2>
        <CreateCatalog onCreated={() => undefined} />
      </section>
      {going !== undefined && <Delete name={going} onClose={() => setGoing(undefined)} />}
    </Page>
  )
}

interface RowProps {
  readonly catalog: Catalog
  /** If absent, the index is not shown. */
  readonly moves: Moves | undefined
  onDelete(): void
}

function Row({ catalog, moves, onDelete }: RowProps) {
  const { connection, loadCatalogs } = useConsole()
  const { name, description, active, language } = catalog
  const load = useCallback(
    async (signal: AbortSignal) => {
      if (!active) return undefined
      return (await countProducts(connection, { catalog: name }, { signal })).count
    },
    [connection, name, active],
  )
  const { value: total } = useLoaded(load)
  const action = useAction()
  const setActive = (next: boolean) =>
    action.run(async () => {
      await updateCatalog(connection, { name, active: next })
      await loadCatalogs()
      return undefined
    })
  return (
    <tr>
      <th scope="row">
        {name}
        {description && <small>{description}</small>}
        <ActionStatus action={action} />
      </th>
      <td class="is-amount">{total === undefined ? '–' : count(total)}</td>
      <td>{languageName(language ?? 'en')}</td>
      {moves && (
        <td>
          <CatalogIndex catalog={catalog} move={moves.of(name)} onMove={() => moves.expect(name)} />
        </td>
      )}
      <td>
        <Switch
          label={`${name} is searchable`}
          on={action.busy ? !active : active}
          disabled={action.busy}
          onChange={setActive}
        />
      </td>
      <td>
        <div class="buttons">
          <a class="button" href={formatRoute({ page: 'import', catalog: name })}>
            Import
          </a>
          {active && (
            <a
              class="button"
              href="./"
              onClick={() => signIn({ ...connection, catalog: name, isMember: true })}
            >
              Storefront
            </a>
          )}
          <button type="button" class="button" aria-label={`Delete ${name}`} onClick={onDelete}>
            Delete
          </button>
        </div>
      </td>
    </tr>
  )
}

function Delete({ name, onClose }: { name: string; onClose(): void }) {
  const { connection, loadCatalogs } = useConsole()
  return (
    <Confirm
      title={`Delete ${name}`}
      typed={name}
      verb="Delete catalog"
      onClose={onClose}
      work={async () => {
        await deleteCatalog(connection, { catalog: name })
        await loadCatalogs()
      }}
    >
      <p>
        This deletes all of its products, with everything people added to them. Searches stop
        finding them immediately. This cannot be undone.
      </p>
    </Confirm>
  )
}
