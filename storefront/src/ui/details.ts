import type { Product } from '../shop/types.ts'

/**
 * Attributes that shop systems export for their own use (shipping, stock tracking, search engines,
 * ads) and that say nothing about the product.
 */
const INTERNAL =
  /^(variant (inventory (policy|tracker)|fulfillment service|requires shipping|taxable|tax code|weight unit)|seo (title|description)|gift card|published|image alt text|template suffix|google shopping \/ .*|unit price .*|included \/ .*|price \/ .*|compare at price \/ .*|meta: .*|tax (status|class)|visibility in catalog|backorders allowed\?|sold individually\?|allow customer reviews\?)$/i

/** Details for shoppers: attributes in their order, then the remaining facets. */
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
