import type { Product } from '../shop/types.ts'

/**
 * What systems of shops keep for themselves and exports bring along: whom it ships by, how stock is
 * followed, what search engines and advertisements are told. It says nothing of the product.
 */
const INTERNAL =
  /^(variant (inventory (policy|tracker)|fulfillment service|requires shipping|taxable|tax code|weight unit)|seo (title|description)|gift card|published|image alt text|template suffix|google shopping \/ .*|unit price .*|included \/ .*|price \/ .*|compare at price \/ .*|meta: .*|tax (status|class)|visibility in catalog|backorders allowed\?|sold individually\?|allow customer reviews\?)$/i

/** What shoppers want to read of a product: attributes in their order, then what else they choose by. */
export function detailsOf({
  attributes,
  facets,
  filters,
}: Pick<Product, 'attributes' | 'facets' | 'filters'>): [string, string | number][] {
  const rows = [attributes, facets, filters].flatMap((named) => Object.entries(named))
  const names = new Set<string>()
  return rows.filter(([name]) => {
    const isNew = !names.has(name.toLowerCase())
    names.add(name.toLowerCase())
    return isNew && !INTERNAL.test(name)
  })
}
