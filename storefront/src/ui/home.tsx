import { useEffect } from 'preact/hooks'
import { seenProducts } from '../shop/kept.ts'
import type { SearchRoute } from '../shop/route.ts'
import { useShop } from '../shop/shop.ts'
import { useStore } from '../shop/store.ts'
import type { CategoryBranch } from '../shop/types.ts'
import { count, plural } from './offers.ts'
import { Picture } from './picture.tsx'
import { Failed, Notice } from './states.tsx'
import { useExamples } from './use-examples.ts'

const AISLES = 12
const BRANDS = 40

/** The home page: top-level categories, brands and recently viewed products. */
export function Home() {
  const { search, router } = useShop()
  const results = useStore(search.results)
  const status = useStore(search.status)
  useEffect(() => {
    document.title = 'Aisle'
  }, [])
  const { total, metadata } = results?.answer ?? {}
  const categories = metadata?.categoryTree ?? []
  const [aisles, others] = [categories.slice(0, AISLES), categories.slice(AISLES)]
  const brands = metadata?.lists?.manufacturers.slice(0, BRANDS) ?? []
  const vendors = metadata?.lists?.vendors.length ?? 0
  const images = useExamples(aisles)
  const link = (to: SearchRoute) => router.href({ search: to })
  if (status.kind === 'failed') {
    const { message } = status
    return <Failed title="We couldn’t load the store" problem={message} retry={search.again} />
  }
  return (
    <div class="home">
      <div class="home-head">
        <h1>Find the right part at the right price</h1>
        <p>
          {total === undefined
            ? ' '
            : `${[plural(total, 'product'), ...(vendors > 0 ? [plural(vendors, 'vendor')] : [])].join(' from ')}. Compare prices and availability.`}
        </p>
      </div>
      {results ? (
        <ol
          class={aisles.some(({ children }) => children.length > 0) ? 'aisles' : 'aisles is-flat'}
        >
          {aisles.map((aisle, at) => (
            <Aisle
              key={aisle.path}
              aisle={aisle}
              number={at + 1}
              image={images.get(aisle.path)}
              link={link}
            />
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
        <Notice title="No products yet">
          <p>
            Import a file or add products one at a time. See the{' '}
            <a href="docs/imports.md">import guide</a>.
          </p>
        </Notice>
      )}
      {others.length > 0 && <Others categories={others} link={link} />}
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
  readonly image: string | null | undefined
  link(to: SearchRoute): string
}

const CHILDREN = 5

function Aisle({ aisle, number, image, link }: AisleProps) {
  const to = (path: string) => link({ hierarchicalMenu: { 'categories.lvl0': path.split(' > ') } })
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
      <Picture url={image ?? undefined} across="13rem" />
    </li>
  )
}

interface OthersProps {
  readonly categories: readonly CategoryBranch[]
  link(to: SearchRoute): string
}

/** Catalogs without top-level categories have more categories than fit as tiles. */
const Others = ({ categories, link }: OthersProps) => (
  <section class="brands" aria-labelledby="others">
    <h2 id="others">More categories</h2>
    <ul>
      {categories.map(({ path, name, count: products }) => (
        <li key={path}>
          <a href={link({ hierarchicalMenu: { 'categories.lvl0': path.split(' > ') } })}>{name}</a>{' '}
          <span class="amount">{count(products)}</span>
        </li>
      ))}
    </ul>
  </section>
)

function Seen() {
  const { session, router } = useShop()
  const seen = seenProducts.read().filter(({ catalog }) => catalog === session.access.catalog)
  if (seen.length === 0) return null
  return (
    <section class="seen" aria-labelledby="seen">
      <h2 id="seen">Recently viewed</h2>
      <ul>
        {seen.map(({ id, name, image }) => (
          <li key={id}>
            <a href={router.href({ product: id })}>
              <Picture url={image} across="10rem" />
              <span>{name}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
