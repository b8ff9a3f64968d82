import { AisleError, getProduct } from 'aisle-client'
import { useCallback, useEffect, useState } from 'preact/hooks'
import { seenProducts } from '../shop/kept.ts'
import { useSearchPrice, useShop } from '../shop/shop.ts'
import type { Product } from '../shop/types.ts'
import { Price, Stock } from './card.tsx'
import { detailsOf } from './details.ts'
import { Notes } from './notes.tsx'
import { OfferTable } from './offer-table.tsx'
import { count, dealOf, plural } from './offers.ts'
import { Picture } from './picture.tsx'
import { PriceHistory } from './price-history.tsx'
import { ProductActions } from './product-actions.tsx'
import { Failed, Notice } from './states.tsx'
import { Variants } from './variants.tsx'

/** Displayed width of the large picture. */
const GALLERY = '(max-width: 56rem) 100vw, 36rem'

/** A product with its offers; shows the search hit's data until the product is loaded. */
export function ProductPage({ id }: { id: string }) {
  const { product, problem, reload } = useProduct(id)
  if (problem && problem.status !== 404) {
    const { message } = problem
    return <Failed title="We couldn’t load this product" problem={message} retry={reload} />
  }
  if (problem) {
    return (
      <Notice title="Product not found">
        <p role="alert">It may have been removed from the catalog, or the link may be incorrect.</p>
        <a class="button is-main" href="./">
          Browse all categories
        </a>
      </Notice>
    )
  }
  if (!product) return <div class="product is-waiting" role="status" aria-label="Loading product" />
  return <Shown product={product} onChanged={reload} />
}

function useProduct(id: string) {
  const { connection, session, search } = useShop()
  const known = search.results.get()?.answer.products.find((product) => product.id === id)
  const [product, setProduct] = useState<Product | undefined>(known)
  const [problem, setProblem] = useState<AisleError>()
  const load = useCallback(
    async (signal?: AbortSignal) => {
      const { catalog } = session.access
      try {
        const read = await getProduct(connection, { catalog, id }, { signal })
        setProduct(read)
        setProblem(undefined)
        const image = read.image ?? read.images[0]?.url ?? null
        seenProducts.add({ id, catalog, name: read.name ?? id, image })
      } catch (error) {
        if (error instanceof AisleError) setProblem(error)
      }
    },
    [connection, session, id],
  )
  useEffect(() => {
    const abort = new AbortController()
    void load(abort.signal)
    return () => abort.abort()
  }, [load])
  return { product, problem, reload: () => load() }
}

function Shown({ product, onChanged }: { product: Product; onChanged: () => void }) {
  const { session } = useShop()
  const name = product.name ?? product.id
  const deal = dealOf(product)
  useEffect(() => {
    document.title = `${name} · Aisle`
  }, [name])
  return (
    <article class="product">
      <Breadcrumb product={product} />
      <div class="product-side">
        <Gallery product={product} name={name} />
        <Attributes product={product} />
      </div>
      <div class="product-main">
        <div class="product-head">
          {product.manufacturer && (
            <p class="card-maker">
              <BrandLink name={product.manufacturer} />
            </p>
          )}
          <h1>{name}</h1>
          <Numbers product={product} />
          <div class="product-deal">
            <Price amount={deal.price} from={deal.isLeast} />
            <Stock {...deal} />
            {deal.vendors > 0 && <p class="card-vendors">{plural(deal.vendors, 'vendor')}</p>}
            <Quantities product={product} />
          </div>
          {product.description && <p class="description">{product.description}</p>}
          {session.isMember && <ProductActions product={product} onChanged={onChanged} />}
          <Labels product={product} />
        </div>
        <Variants product={product} />
        <OfferTable product={product} />
        <PriceHistory product={product} />
        <Notes product={product} />
      </div>
    </article>
  )
}

/** Quantity discounts of the price list in effect. */
function Quantities({ product: { prices = [] } }: { product: Product }) {
  const price = useSearchPrice()
  const many = prices.filter(({ quantityFrom }) => quantityFrom > 1)
  if (many.length === 0) return null
  return (
    <ul class="quantities" aria-label="Volume pricing">
      {many.map(({ quantityFrom, price: amount }) => (
        <li key={quantityFrom}>
          {count(quantityFrom)} or more: {price(amount)} each
        </li>
      ))}
    </ul>
  )
}

function Breadcrumb({ product: { segment, category, subCategory } }: { product: Product }) {
  const { router } = useShop()
  const levels = [segment, category, subCategory].filter((level) => level !== null)
  return (
    <nav class="breadcrumb" aria-label="Breadcrumb">
      <a href="./">All categories</a>
      {levels.map((level, at) => (
        <a
          key={level}
          href={router.href({
            search: { hierarchicalMenu: { 'categories.lvl0': levels.slice(0, at + 1) } },
          })}
        >
          {level}
        </a>
      ))}
    </nav>
  )
}

function BrandLink({ name }: { name: string }) {
  const { router } = useShop()
  const href = router.href({ search: { refinementList: { manufacturer: [name] } } })
  return <a href={href}>{name}</a>
}

function Gallery({ product: { image, images }, name }: { product: Product; name: string }) {
  const urls = [...new Set([...(image ? [image] : []), ...images.map(({ url }) => url)])]
  const [shown, setShown] = useState(0)
  return (
    <div class="gallery">
      <Picture url={urls[shown] ?? null} across={GALLERY} alt={name} eager />
      {urls.length > 1 && (
        <ul>
          {urls.map((url, at) => (
            <li key={url}>
              <button
                type="button"
                aria-label={`Image ${at + 1} of ${urls.length}`}
                aria-pressed={at === shown}
                onClick={() => setShown(at)}
              >
                <Picture url={url} across="4.5rem" />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function Numbers({ product: { id, manufacturerPartNumber, upcs = [] } }: { product: Product }) {
  return (
    <dl class="numbers">
      {manufacturerPartNumber && (
        <div>
          <dt>Manufacturer part number</dt>
          <dd>{manufacturerPartNumber}</dd>
        </div>
      )}
      {upcs.length > 0 && (
        <div>
          <dt>UPC</dt>
          <dd>{upcs.join(', ')}</dd>
        </div>
      )}
      <div>
        <dt>Item number</dt>
        <dd>{id}</dd>
      </div>
    </dl>
  )
}

function Labels({ product: { tags = [], userTags = [], options = {} } }: { product: Product }) {
  const all = [
    ...Object.entries(options).map(([name, value]) => `${name}: ${value}`),
    ...tags,
    ...userTags,
  ]
  if (all.length === 0) return null
  return (
    <ul class="labels" aria-label="Tags">
      {[...new Set(all)].map((label) => (
        <li key={label}>{label}</li>
      ))}
    </ul>
  )
}

function Attributes({ product }: { product: Product }) {
  const rows = detailsOf(product)
  if (rows.length === 0) return null
  return (
    <section class="attributes" aria-labelledby="details">
      <h2 id="details">Specifications</h2>
      <dl>
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
