import { type PriceLine, priceSource } from '../products/list-prices.ts'
import type { Product } from '../products/product.ts'
import { selected, sourceOf } from '../products/selection.ts'
import type { Criteria } from './criteria.ts'
import { fittingPrice } from './offers.ts'

/** Computed fields that a request can name, with the product fields that they need. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  price: ['msrp', 'vendors.vendorName', 'vendors.cost', 'vendors.inStock'],
  inStock: ['vendors.vendorName', 'vendors.inStock'],
}

/** The `_source` paths that a search reads. */
export function sourceFor({ selection, whole, prices }: Criteria, organization: string): string[] {
  const names = [...(selection?.fields?.keys() ?? [])]
  const parts = names.flatMap((name) => PARTS[name] ?? [])
  const paths = sourceOf(organization, whole ? null : selection, parts)
  return [...paths, ...priceSource(prices)]
}

/** A product with the fields that the request selects, including computed ones. */
export function answeredProduct<P extends { readonly id: string }>(
  product: P,
  criteria: Criteria,
): P {
  const { selection } = criteria
  const asks = (name: string) => selection?.fields?.has(name) ?? false
  const offered = product as unknown as Product & { readonly prices?: readonly PriceLine[] }
  return selected(
    {
      ...product,
      ...(asks('price')
        ? { price: fittingPrice(offered, criteria, offered.prices)?.amount ?? null }
        : {}),
      ...(asks('inStock') ? { inStock: offered.vendors.some(({ inStock }) => inStock) } : {}),
    },
    selection,
  )
}
