import { simpleSearch } from 'aisle-client'
import { useEffect, useState } from 'preact/hooks'
import { useSearchPrice, useShop } from '../shop/shop.ts'
import type { Product } from '../shop/types.ts'
import { optionNames, sortedVariants, type Variant } from './variant-order.ts'

const MOST = 250
const FIELDS = ['name', 'options', 'price', 'inStock'] as const

/** The other variants of a product, such as sizes and colors, with price and availability. */
export function Variants({ product }: { product: Product }) {
  const { router } = useShop()
  const price = useSearchPrice()
  const variants = useVariants(product)
  if (variants.length < 2) return null
  const names = optionNames(variants)
  return (
    <section class="variants" aria-labelledby="variants">
      <h2 id="variants">Options</h2>
      <table>
        <thead>
          <tr>
            {names.length === 0 && <th scope="col">Product</th>}
            {names.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
            <th scope="col">Stock</th>
            <th scope="col" class="is-amount">
              Price
            </th>
          </tr>
        </thead>
        <tbody>
          {variants.map(({ id, name, options = {}, price: amount, inStock }) => {
            const here = id === product.id ? { 'aria-current': 'page' as const } : {}
            const [first, ...others] = names.length > 0 ? names : ['']
            return (
              <tr key={id} class={id === product.id ? 'is-here' : undefined}>
                <th scope="row">
                  <a
                    href={router.href({ product: id })}
                    aria-label={Object.values(options).join(', ') || undefined}
                    {...here}
                  >
                    {(first ? options[first] : name) ?? id}
                  </a>
                </th>
                {others.map((option) => (
                  <td key={option}>{options[option]}</td>
                ))}
                <td>
                  <span class={inStock ? 'stock is-in' : 'stock'}>
                    {inStock ? 'In stock' : 'Out of stock'}
                  </span>
                </td>
                <td class="is-amount">{amount == null ? 'On request' : price(amount)}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </section>
  )
}

function useVariants({ groupId, catalog }: Product): readonly Variant[] {
  const { connection } = useShop()
  const [variants, setVariants] = useState<readonly Variant[]>([])
  useEffect(() => {
    setVariants([])
    if (!groupId) return
    const abort = new AbortController()
    const must = [{ type: 'groupId' as const, value: groupId }]
    const search = { catalog, must, pageSize: MOST, fields: [...FIELDS], analytics: false }
    simpleSearch(connection, search, { signal: abort.signal }).then(
      ({ products }) => setVariants(sortedVariants(products)),
      // The product is shown without its variants.
      () => undefined,
    )
    return () => abort.abort()
  }, [connection, catalog, groupId])
  return variants
}
