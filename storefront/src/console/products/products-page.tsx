import { type Answer, search as searchProducts } from 'aisle-client'
import { useCallback, useState } from 'preact/hooks'
import { useStore } from '../../shop/store.ts'
import { count, plural } from '../../ui/offers.ts'
import { useConsole, useGo } from '../console.ts'
import { valuesOf } from '../parts/field.tsx'
import { CatalogPicker, NoCatalog, Page, useCatalog } from '../parts/page.tsx'
import { Table } from '../parts/table.tsx'
import { type Loaded, Shown, useLoaded } from '../parts/use-loaded.tsx'
import { formatRoute } from '../route.ts'
import { BulkEdit } from './bulk-edit.tsx'
import { Narrowing } from './narrowing.tsx'
import { ProductPage } from './product-page.tsx'
import { isEverything, type ProductQuery, queryOf, routeOf, searchOf } from './product-query.ts'

const FIELDS = [
  'name',
  'manufacturer',
  'manufacturerPartNumber',
  'category',
  'price',
  'inStock',
] as const
const PAGE_SIZE = 25
/** The last page that Search can return. */
const LAST_PAGE = 10_000 / PAGE_SIZE

const money = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

/** The products of a catalog, or one of them. */
export function ProductsPage() {
  const { route } = useConsole()
  const shown = useStore(route)
  const catalog = useCatalog()
  if (catalog === undefined) return <NoCatalog />
  const { id } = shown
  if (id !== undefined) return <ProductPage key={`${catalog}/${id}`} catalog={catalog} id={id} />
  return <ProductList key={catalog} catalog={catalog} query={queryOf(shown)} />
}

type Found = Answer<'search'>

/** A page of the search results. */
function useFound(catalog: string, query: ProductQuery, page: number): Loaded<Found> {
  const { connection } = useConsole()
  // As text, since the object is a new one at each render.
  const search = JSON.stringify(searchOf(query))
  const load = useCallback(
    async (signal: AbortSignal) =>
      searchProducts(
        connection,
        {
          ...{ ...JSON.parse(search), catalog, page, pageSize: PAGE_SIZE, fields: [...FIELDS] },
          ...{ analytics: false, facets: { most: 1, lists: true, tree: true } },
        },
        { signal },
      ),
    [connection, catalog, search, page],
  )
  return useLoaded(load)
}

interface ListProps {
  readonly catalog: string
  readonly query: ProductQuery
}

function ProductList({ catalog, query }: ListProps) {
  const go = useGo()
  const asked = JSON.stringify(query)
  const [paging, setPaging] = useState({ asked, page: 0 })
  const page = paging.asked === asked ? paging.page : 0
  const loaded = useFound(catalog, query, page)
  const search = (next: ProductQuery) => go({ page: 'products', catalog, ...routeOf(next) })
  const { words } = query
  return (
    <Page title="Products" aside={<CatalogPicker />}>
      <search>
        <form
          class="row-form"
          onSubmit={(event) => {
            event.preventDefault()
            search({ ...query, words: valuesOf(event.currentTarget)('q') })
          }}
        >
          <label class="picker is-wide">
            Keywords, part number or ID
            <input key={words} name="q" type="search" defaultValue={words} maxLength={512} />
          </label>
          <button type="submit" class="button is-main">
            Search
          </button>
        </form>
        <Narrowing query={query} metadata={loaded.value?.metadata} onChange={search} />
      </search>
      <Products
        {...{ catalog, query, loaded, page }}
        onPage={(next) => setPaging({ asked, page: next })}
      />
    </Page>
  )
}

interface ProductsProps extends ListProps {
  readonly loaded: Loaded<Found>
  readonly page: number
  onPage(page: number): void
}

function Products({ catalog, query, loaded, page, onPage }: ProductsProps) {
  const [bulk, setBulk] = useState(false)
  return (
    <Shown of={loaded}>
      {({ products, total, ...understood }) => (
        <>
          <div class="found">
            <p class="amount" role="status">
              {plural(total, 'product')}
            </p>
            {total > 0 && (
              <button type="button" class="button" onClick={() => setBulk(true)}>
                Bulk edit
              </button>
            )}
          </div>
          <Understood {...understood} />
          {bulk && (
            <BulkEdit
              catalog={catalog}
              query={query}
              onClose={() => {
                setBulk(false)
                void loaded.reload()
              }}
            />
          )}
          {products.length === 0 ? (
            <p>
              {isEverything(query) ? 'This catalog is empty.' : 'No products match.'}{' '}
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

/** Tells which words were corrected or ignored; bulk changes use the query as entered. */
function Understood({ correctedTo, droppedWords = [] }: Partial<Found>) {
  if (!correctedTo && droppedWords.length === 0) return null
  const words = droppedWords.map((word) => `“${word}”`).join(', ')
  return (
    <p class="warning">
      {correctedTo && `No results for this query. Showing results for “${correctedTo}”. `}
      {words && `No products contain ${words}. Showing results for the other words. `}
      Bulk edit uses the query as entered.
    </p>
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
        Previous
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
