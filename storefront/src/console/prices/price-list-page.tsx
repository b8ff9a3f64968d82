import { type Answer, deletePriceList, getPriceList, getPrices } from 'aisle-client'
import { useCallback, useState } from 'preact/hooks'
import { useConsole, useGo } from '../console.ts'
import { Confirm } from '../parts/dialog.tsx'
import { Page } from '../parts/page.tsx'
import { Table } from '../parts/table.tsx'
import { type Loaded, Shown, useLoaded } from '../parts/use-loaded.tsx'
import { formatRoute } from '../route.ts'
import { ListForm } from './list-form.tsx'
import { UploadPrices } from './upload-prices.tsx'

type Prices = Answer<'getPrices'>

const PAGE_SIZE = 50

interface PriceListProps {
  readonly catalog: string
  readonly name: string
}

/** A price list: its properties, the upload of a price file, and its prices. */
export function PriceListPage({ catalog, name }: PriceListProps) {
  const { connection } = useConsole()
  const go = useGo()
  const [asks, setAsks] = useState(false)
  // Start cursors of the pages visited so far.
  const [pages, setPages] = useState<readonly string[]>([''])
  const loadList = useCallback(
    (signal: AbortSignal) => getPriceList(connection, { catalog, priceList: name }, { signal }),
    [connection, catalog, name],
  )
  const after = pages.at(-1)!
  const loadPrices = useCallback(
    (signal: AbortSignal) => {
      const page = { catalog, priceList: name, pageSize: PAGE_SIZE, ...(after ? { after } : {}) }
      return getPrices(connection, page, { signal })
    },
    [connection, catalog, name, after],
  )
  const list = useLoaded(loadList)
  const prices = useLoaded(loadPrices)
  return (
    <Page
      title={name}
      lead={
        <>
          <a href={formatRoute({ page: 'prices', catalog })}>Price lists in {catalog}</a>
          {list.value ? ` · ${list.value.currency}` : ''}
        </>
      }
      aside={
        <button type="button" class="button" onClick={() => setAsks(true)}>
          Delete
        </button>
      }
    >
      <Shown of={list}>
        {(value) => <ListForm catalog={catalog} list={value} onSaved={list.reload} />}
      </Shown>
      <section class="step" aria-labelledby="upload">
        <h2 id="upload">Upload prices</h2>
        <UploadPrices catalog={catalog} priceList={name} onWritten={prices.reload} />
      </section>
      <section class="step" aria-labelledby="prices">
        <h2 id="prices">Current prices</h2>
        <Lines catalog={catalog} loaded={prices} />
        <p class="buttons">
          <button
            type="button"
            class="button"
            disabled={pages.length === 1}
            onClick={() => setPages(pages.slice(0, -1))}
          >
            Previous
          </button>
          <button
            type="button"
            class="button"
            disabled={prices.value?.after === undefined}
            onClick={() => setPages([...pages, prices.value!.after!])}
          >
            Next
          </button>
          <button type="button" class="button" onClick={prices.reload}>
            Refresh
          </button>
        </p>
      </section>
      {asks && (
        <Confirm
          title={`Delete ${name}`}
          typed={name}
          verb="Delete price list"
          onClose={() => setAsks(false)}
          work={async () => {
            await deletePriceList(connection, { catalog, priceList: name })
            go({ page: 'prices', catalog })
          }}
        >
          <p>This deletes all of its prices. Searches that use this price list will fail.</p>
        </Confirm>
      )}
    </Page>
  )
}

const money = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 4 })
const timeOf = (time: string | null) => (time ? new Date(time).toLocaleString() : '')

const Lines = ({ catalog, loaded }: { catalog: string; loaded: Loaded<Prices> }) => (
  <Shown of={loaded}>
    {({ lines }) =>
      lines.length === 0 ? (
        <p>No prices yet. Uploaded prices appear within a second.</p>
      ) : (
        <Table
          label="Prices"
          heads={['Product', 'Price#', 'Min. quantity#', 'Valid from', 'Valid until']}
        >
          {lines.map(({ id, price, quantityFrom, validFrom, validTo }) => (
            <tr key={`${id} ${quantityFrom} ${validFrom}`}>
              <th scope="row">
                <a href={formatRoute({ page: 'products', catalog, id })}>{id}</a>
              </th>
              <td class="is-amount">{money.format(price)}</td>
              <td class="is-amount">{quantityFrom}</td>
              <td>{timeOf(validFrom)}</td>
              <td>{timeOf(validTo)}</td>
            </tr>
          ))}
        </Table>
      )
    }
  </Shown>
)
