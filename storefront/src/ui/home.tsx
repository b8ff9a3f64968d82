import { useEffect, useState } from 'preact/hooks'
import { seenProducts } from '../shop/kept.ts'
import type { SearchRoute } from '../shop/route.ts'
import { useShop } from '../shop/shop.ts'
import { useStore } from '../shop/store.ts'
import type { CategoryBranch } from '../shop/types.ts'
import { suggest } from '../shop/use-suggestions.ts'
import { count, plural } from './offers.ts'
import { Picture } from './picture.tsx'
import { Notice } from './states.tsx'

const AISLES = 12
const BRANDS = 40

/** The way in: an aisle for each uppermost category, the brands, and what was looked at lately. */
export function Home() {
  const { search, router } = useShop()
  const results = useStore(search.results)
  const status = useStore(search.status)
  useEffect(() => {
    document.title = 'Aisle'
  }, [])
  if (status.kind === 'failed') {
    return (
      <Notice title="The shop does not open">
        <p role="alert">{status.message}</p>
        <button type="button" class="button is-main" onClick={() => search.again()}>
          Try again
        </button>
      </Notice>
    )
  }
  const { total, metadata } = results?.answer ?? {}
  const aisles = metadata?.categoryTree?.slice(0, AISLES) ?? []
  const brands = metadata?.lists?.manufacturers.slice(0, BRANDS) ?? []
  const vendors = metadata?.lists?.vendors.length ?? 0
  const link = (to: SearchRoute) => router.href({ search: to })
  return (
    <div class="home">
      <div class="home-head">
        <h1>Find the part. See who has it.</h1>
        <p>
          {total === undefined
            ? ' '
            : `${plural(total, 'product')}, ${plural(vendors, 'vendor')}, each with its own price and stock.`}
        </p>
      </div>
      {results ? (
        <ol class="aisles">
          {aisles.map((aisle, at) => (
            <Aisle key={aisle.path} aisle={aisle} number={at + 1} link={link} />
          ))}
        </ol>
      ) : (
        <div class="aisles" aria-hidden="true">
          {Array.from({ length: 6 }, (_, at) => (
            <div key={at} class="aisle is-waiting" />
          ))}
        </div>
      )}
      {results?.answer.total === 0 && (
        <Notice title="This catalog is empty">
          <p>
            Products come by an import or one by one; <a href="docs/imports.md">imports.md</a> tells
            how.
          </p>
        </Notice>
      )}
      <Seen />
      {brands.length > 0 && (
        <section class="brands" aria-labelledby="brands">
          <h2 id="brands">Brands</h2>
          <ul>
            {[...brands]
              .sort((a, b) => a.value.localeCompare(b.value))
              .map(({ value }) => (
                <li key={value}>
                  <a href={link({ refinementList: { manufacturer: [value] } })}>{value}</a>
                </li>
              ))}
          </ul>
        </section>
      )}
    </div>
  )
}

interface AisleProps {
  readonly aisle: CategoryBranch
  readonly number: number
  link(to: SearchRoute): string
}

const CHILDREN = 5

function Aisle({ aisle, number, link }: AisleProps) {
  const to = (path: string) => link({ hierarchicalMenu: { 'categories.lvl0': path.split(' > ') } })
  const image = useExample(aisle)
  return (
    <li class="aisle">
      <span class="aisle-number" aria-hidden="true">
        {number}
      </span>
      <div class="aisle-text">
        <h2>
          <a href={to(aisle.path)}>{aisle.name}</a>
        </h2>
        <p class="amount">{plural(aisle.count, 'product')}</p>
        <ul>
          {aisle.children.slice(0, CHILDREN).map(({ path, name, count: products }) => (
            <li key={path}>
              <a href={to(path)}>{name}</a> <span class="amount">{count(products)}</span>
            </li>
          ))}
        </ul>
      </div>
      <Picture url={image} />
    </li>
  )
}

/** A picture of something in an aisle; by suggestions, which cost no search. */
function useExample({ name, children }: CategoryBranch): string | null {
  const { connection, session } = useShop()
  const [image, setImage] = useState<string | null>(null)
  const words = children[0]?.name ?? name
  useEffect(() => {
    suggest(connection, session.access.catalog, words).then(
      ({ products = [] }) => setImage(products.find(({ image }) => image)?.image ?? null),
      () => undefined,
    )
  }, [connection, session, words])
  return image
}

function Seen() {
  const { session, router } = useShop()
  const seen = seenProducts.read().filter(({ catalog }) => catalog === session.access.catalog)
  if (seen.length === 0) return null
  return (
    <section class="seen" aria-labelledby="seen">
      <h2 id="seen">Looked at lately</h2>
      <ul>
        {seen.map(({ id, name, image }) => (
          <li key={id}>
            <a href={router.href({ product: id })}>
              <Picture url={image} />
              <span>{name}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
