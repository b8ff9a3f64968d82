import { useShop } from '../shop/shop.ts'
import type { Product } from '../shop/types.ts'
import { stockText } from './offers.ts'

/** The offers of a product, cheapest first. */
export function OfferTable({ product: { vendors = [] } }: { product: Product }) {
  const { price } = useShop()
  if (vendors.length === 0) return null
  const sorted = [...vendors].sort((a, b) => (a.cost ?? Infinity) - (b.cost ?? Infinity))
  return (
    <section class="offers" aria-labelledby="offers">
      <h2 id="offers">Offers</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">Vendor</th>
            <th scope="col">Vendor part number</th>
            <th scope="col">Stock</th>
            <th scope="col" class="is-amount">
              Price
            </th>
          </tr>
        </thead>
        <tbody>
          {sorted.map(({ vendorName, vendorPartNumber, cost, onHand, inStock, status }) => (
            <tr key={vendorName}>
              <th scope="row">{vendorName}</th>
              <td class="card-number">{vendorPartNumber}</td>
              <td>
                <span class={inStock ? 'stock is-in' : 'stock'}>
                  {stockText({ inStock, onHand })}
                </span>
                {status && <small>{status}</small>}
              </td>
              <td class="is-amount">{cost === null ? 'On request' : price(cost)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
