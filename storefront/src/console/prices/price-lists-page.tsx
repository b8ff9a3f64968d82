import { getPriceLists } from 'aisle-client'
import { useCallback } from 'preact/hooks'
import { useStore } from '../../shop/store.ts'
import { useConsole, useGo } from '../console.ts'
import { CatalogPicker, NoCatalog, Page, useCatalog } from '../parts/page.tsx'
import { Table } from '../parts/table.tsx'
import { Shown, useLoaded } from '../parts/use-loaded.tsx'
import { formatRoute } from '../route.ts'
import { ListForm } from './list-form.tsx'
import { PriceListPage } from './price-list-page.tsx'

/** The price lists of a catalog, or one of them. */
export function PriceListsPage() {
  const { route } = useConsole()
  const { id } = useStore(route)
  const catalog = useCatalog()
  if (catalog === undefined) return <NoCatalog />
  return id === undefined ? (
    <Lists key={catalog} catalog={catalog} />
  ) : (
    <PriceListPage key={`${catalog}/${id}`} catalog={catalog} name={id} />
  )
}

function Lists({ catalog }: { catalog: string }) {
  const { connection } = useConsole()
  const go = useGo()
  const load = useCallback(
    (signal: AbortSignal) => getPriceLists(connection, { catalog }, { signal }),
    [connection, catalog],
  )
  return (
    <Page
      title="Price lists"
      lead="Special prices for groups of customers. Use a list by name in a search, or limit an API key to it."
      aside={<CatalogPicker />}
    >
      <Shown of={useLoaded(load)}>
        {({ priceLists }) => (
          <>
            {priceLists.length === 0 ? (
              <p>No price lists yet.</p>
            ) : (
              <Table label="Price lists" heads={['Name', 'Currency', 'Available to', 'Created']}>
                {priceLists.map(({ name, currency, description, organizations, created }) => (
                  <tr key={name}>
                    <th scope="row">
                      <a href={formatRoute({ page: 'prices', catalog, id: name })}>{name}</a>
                      {description && <small>{description}</small>}
                    </th>
                    <td>{currency}</td>
                    <td>{organizations?.join(', ') ?? 'Everyone'}</td>
                    <td>{new Date(created).toLocaleDateString()}</td>
                  </tr>
                ))}
              </Table>
            )}
            <section class="step" aria-labelledby="create">
              <h2 id="create">New price list</h2>
              <ListForm
                catalog={catalog}
                taken={priceLists.map(({ name }) => name)}
                onSaved={(name) => go({ page: 'prices', catalog, id: name })}
              />
            </section>
          </>
        )}
      </Shown>
    </Page>
  )
}
