import { partsOf } from 'aisle-client'
import { useSearchPrice, useShop } from '../shop/shop.ts'
import type { Product } from '../shop/types.ts'
import { dealOf, plural, stockText } from './offers.ts'
import { Picture } from './picture.tsx'
import { Why } from './why.tsx'

interface CardProps {
  readonly product: Product
  readonly eager: boolean
}

export function Card({ product, eager }: CardProps) {
  const shop = useShop()
  const deal = dealOf(product)
  return (
    <li class="card">
      <Picture
        url={product.image ?? product.images[0]?.url ?? null}
        across="(max-width: 40rem) 6.5rem, 18rem"
        eager={eager}
      />
      <div class="card-text">
        <p class="card-maker">{product.manufacturer}</p>
        <h2 class="card-name">
          <a
            href={shop.router.href({ product: product.id })}
            onClick={() => shop.reportChoice(product)}
          >
            <Marked html={product.highlight?.name} plain={product.name ?? product.id} />
          </a>
        </h2>
        {product.manufacturerPartNumber && (
          <p class="card-number">{product.manufacturerPartNumber}</p>
        )}
        <Options group={product.group} />
      </div>
      <div class="card-deal">
        <Price amount={deal.price} from={deal.isLeast} />
        <Stock {...deal} />
        {deal.vendors > 0 && <p class="card-vendors">{plural(deal.vendors, 'vendor')}</p>}
      </div>
      {product.explanation && <Why explanation={product.explanation} />}
    </li>
  )
}

/** The number of variants that a hit represents, and the options in which they differ. */
function Options({ group }: { group: Product['group'] }) {
  const { variants = 1, options = {} } = group ?? {}
  if (variants < 2) return null
  const several = Object.entries(options).filter(([, values]) => values.length > 1)
  return (
    <div class="card-options">
      <p>{plural(variants, 'option')}</p>
      {several.map(([name, values]) => (
        <p key={name}>
          <span class="amount">{name}</span> {values.join(', ')}
        </p>
      ))}
    </div>
  )
}

/** A text with the search terms highlighted. */
function Marked({ html, plain }: { html: string | undefined; plain: string }) {
  if (html === undefined) return <>{plain}</>
  return (
    <>
      {partsOf(html).map(({ text, marked }, at) =>
        marked ? <mark key={at}>{text}</mark> : <span key={at}>{text}</span>,
      )}
    </>
  )
}

export function Price({ amount, from = false }: { amount: number | undefined; from?: boolean }) {
  const price = useSearchPrice()
  if (amount === undefined) return <p class="price is-missing">Price on request</p>
  return (
    <p class="price">
      {from && <small>From </small>}
      {price(amount)}
    </p>
  )
}

interface StockProps {
  readonly inStock: boolean
  readonly onHand: number
}

export const Stock = ({ inStock, onHand }: StockProps) => (
  <p class={inStock ? 'stock is-in' : 'stock'}>{stockText({ inStock, onHand })}</p>
)
