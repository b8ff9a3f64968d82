import { facetName, numberName, unescapeValue } from 'aisle-client'
import { useSearchPrice, useShop } from '../shop/shop.ts'
import { useStore } from '../shop/store.ts'
import { Icon } from './icons.tsx'

const NAMES: Readonly<Record<string, string>> = {
  manufacturer: 'Brand',
  vendor: 'Vendor',
  price: 'Price',
}

/** The selected filters, each with a button to remove it. */
export function Chosen() {
  const { search } = useShop()
  const chosen = useStore(search.chosen)
  const clear = useStore(search.clear)
  const price = useSearchPrice()
  if (!chosen || chosen.items.length === 0) return null
  return (
    <ul class="chosen" aria-label="Applied filters">
      {chosen.items.flatMap(({ attribute, refine, refinements }) =>
        refinements.map((refinement) => {
          const text = textOf(attribute, refinement, price)
          return (
            <li key={`${attribute} ${text}`}>
              <button
                type="button"
                aria-label={`Remove filter ${text}`}
                onClick={() => refine(refinement)}
              >
                {text}
                <Icon name="close" />
              </button>
            </li>
          )
        }),
      )}
      <li>
        <button type="button" class="chosen-all" onClick={() => clear?.refine()}>
          Clear all
        </button>
      </li>
    </ul>
  )
}

interface Refinement {
  readonly label: string
  readonly value: string | number
  readonly operator?: string | undefined
}

function textOf(
  attribute: string,
  { label, value, operator }: Refinement,
  price: (amount: number) => string,
): string {
  if (attribute === 'inStock') return 'In stock'
  if (attribute.startsWith('categories')) return String(value).split(' > ').at(-1)!
  const name = NAMES[attribute] ?? facetName(attribute) ?? numberName(attribute) ?? attribute
  if (operator) {
    const end = attribute === 'price' ? price(Number(value)) : value
    return `${name}: ${operator === '>=' ? 'from' : 'up to'} ${end}`
  }
  return `${name}: ${unescapeValue(label)}`
}
