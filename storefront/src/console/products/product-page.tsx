import { deleteProduct, getProduct } from 'aisle-client'
import { useCallback, useState } from 'preact/hooks'
import { useConsole, useGo } from '../console.ts'
import { Confirm } from '../parts/dialog.tsx'
import { Page } from '../parts/page.tsx'
import { Shown, useLoaded } from '../parts/use-loaded.tsx'
import { formatRoute } from '../route.ts'
import { ChangeLog } from './change-log.tsx'
import { ProductForm } from './product-form.tsx'

interface ProductPageProps {
  readonly catalog: string
  readonly id: string
}

/** A product's form and its history. */
export function ProductPage({ catalog, id }: ProductPageProps) {
  const { connection } = useConsole()
  const go = useGo()
  const [asks, setAsks] = useState(false)
  const load = useCallback(
    (signal: AbortSignal) => getProduct(connection, { catalog, id }, { signal }),
    [connection, catalog, id],
  )
  const loaded = useLoaded(load)
  const product = loaded.value
  return (
    <Page
      title={product?.name ?? id}
      lead={
        <>
          <a href={formatRoute({ page: 'products', catalog })}>{catalog}</a> · {id}
        </>
      }
      aside={
        product && (
          <button type="button" class="button" onClick={() => setAsks(true)}>
            Delete
          </button>
        )
      }
    >
      <Shown of={loaded}>
        {(current) => (
          <>
            <ProductForm
              key={current.version}
              catalog={catalog}
              product={current}
              reload={loaded.reload}
            />
            <ChangeLog
              key={`log ${current.version}`}
              catalog={catalog}
              id={id}
              onRestored={loaded.reload}
            />
          </>
        )}
      </Shown>
      {asks && (
        <Confirm
          title={`Delete ${product?.name ?? id}`}
          verb="Delete product"
          onClose={() => setAsks(false)}
          work={async () => {
            await deleteProduct(connection, { catalog, id }, { ifMatch: product?.version })
            go({ page: 'products', catalog })
          }}
        >
          <p>This also deletes everything people added to it. This cannot be undone.</p>
        </Confirm>
      )}
    </Page>
  )
}
