import { simpleSearch } from 'aisle-client'
import { useCallback, useState } from 'preact/hooks'
import { useStore } from '../../shop/store.ts'
import { count, plural } from '../../ui/offers.ts'
import { useConsole, useGo } from '../console.ts'
import { CatalogPicker, NoCatalog, Page, useCatalog } from '../parts/page.tsx'
import { Table } from '../parts/table.tsx'
import { Shown, useLoaded } from '../parts/use-loaded.tsx'
import { formatRoute } from '../route.ts'
import { BulkEdit } from './bulk-edit.tsx'
import { ProductPage } from './product-page.tsx'

const FIELDS = [
  'name',
  'manufacturer',
  'manufacturerPartNumber',
  'category',
  'price',
  'inStock',
] as const
const PAGE_SIZE = 25
/** Pages that a search reaches. */
const LAST_PAGE = 10_000 / PAGE_SIZE

const money = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

/** The products of a catalog, or one of them. */
export function ProductsPage() {
  const { route } = useConsole()
  const { id, q = '' } = useStore(route)
  const catalog = useCatalog()
  if (catalog === undefined) return <NoCatalog />
  if (id !== undefined) return <ProductPage key={`${catalog}/${id}`} catalog={catalog} id={id} />
  return <ProductList key={catalog} catalog={catalog} words={q} />
}

function ProductList({ catalog, words }: { catalog: string; words: string }) {
  const go = useGo()
  const [paging, setPaging] = useState({ words, page: 0 })
  const page = paging.words === words ? paging.page : 0
  return (
    <Page title="Products" aside={<CatalogPicker />}>
      <search>
        <form
          class="row-form"
          onSubmit={(event) => {
            event.preventDefault()
            const q = String(new FormData(event.currentTarget).get('q') ?? '').trim()
            go({ page: 'products', catalog, ...(q ? { q } : {}) })
          }}
        >
          <label class="picker is-wide">
            Words, a part number or an id
            <input key={words} name="q" type="search" defaultValue={words} maxLength={512} />
          </label>
          <button type="submit" class="button is-main">
            Search
          </button>
        </form>
      </search>
      <Found
        catalog={catalog}
        words={words}
        page={page}
        onPage={(next) => setPaging({ words, page: next })}
      />
    </Page>
  )
}

interface FoundProps {
  readonly catalog: string
  readonly words: string
  readonly page: number
  onPage(page: number): void
}

function Found({ catalog, words, page, onPage }: FoundProps) {
  const { connection } = useConsole()
  const [bulk, setBulk] = useState(false)
  const load = useCallback(
    (signal: AbortSignal) =>
      simpleSearch(
        connection,
        {
          ...{ catalog, keywords: words, page, pageSize: PAGE_SIZE },
          ...{ fields: [...FIELDS], analytics: false },
        },
        { signal },
      ),
    [connection, catalog, words, page],
  )
  const loaded = useLoaded(load)
  return (
    <Shown of={loaded}>
      {({ products, total }) => (
        <>
          <div class="found">
            <p class="amount" role="status">
              {plural(total, 'product')}
            </p>
            {total > 0 && (
              <button type="button" class="button" onClick={() => setBulk(true)}>
                Change all of them
              </button>
            )}
          </div>
          {bulk && (
            <BulkEdit
              catalog={catalog}
              words={words}
              onClose={() => {
                setBulk(false)
                void loaded.reload()
              }}
            />
          )}
          {products.length === 0 ? (
            <p>
              {words ? 'No product has these words.' : 'The catalog is empty.'}{' '}
              <a href={formatRoute({ page: 'import', catalog })}>Import a file</a>
            </p>
          ) : (
            <Table
              label="Products"
              heads={['Product', 'Manufacturer', 'Category', 'Price#', 'In stock']}
            >
              {products.map((product) => (
                <tr key={product.id}>
                  <th scope="row">
                    <a href={formatRoute({ page: 'products', catalog, id: product.id })}>
                      {product.name ?? product.id}
                    </a>
                    <small>{product.id}</small>
                  </th>
                  <td>
                    {product.manufacturer}
                    {product.manufacturerPartNumber && (
                      <small>{product.manufacturerPartNumber}</small>
                    )}
                  </td>
                  <td>{product.category}</td>
                  <td class="is-amount">
                    {product.price == null ? '–' : money.format(product.price)}
                  </td>
                  <td>{product.inStock ? 'Yes' : 'No'}</td>
                </tr>
              ))}
            </Table>
          )}
          {total > PAGE_SIZE && <Pages page={page} total={total} onPage={onPage} />}
        </>
      )}
    </Shown>
  )
}

interface PagesProps {
  readonly page: number
  readonly total: number
  onPage(page: number): void
}

function Pages({ page, total, onPage }: PagesProps) {
  const last = Math.min(Math.ceil(total / PAGE_SIZE), LAST_PAGE) - 1
  return (
    <nav class="buttons pages" aria-label="Pages">
      <button type="button" class="button" disabled={page === 0} onClick={() => onPage(page - 1)}>
        Back
      </button>
      <span class="amount">
        Page {count(page + 1)} of {count(last + 1)}
      </span>
      <button type="button" class="button" disabled={page >= last} onClick={() => onPage(page + 1)}>
        Next
      </button>
    </nav>
  )
}
