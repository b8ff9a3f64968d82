/**
 * What systems of shops keep for themselves and exports bring along: whom it ships by, how stock is
 * followed, what search engines and advertisements are told. It says nothing of the product.
 */
const INTERNAL =
  /^(variant (inventory (policy|tracker)|fulfillment service|requires shipping|taxable|tax code|weight unit)|seo (title|description)|gift card|published|image alt text|template suffix|google shopping \/ .*|unit price .*|included \/ .*|price \/ .*|compare at price \/ .*|meta: .*|tax (status|class)|visibility in catalog|backorders allowed\?|sold individually\?|allow customer reviews\?)$/i

/** Attributes that shoppers want to read, in their order. */
export const detailsOf = (attributes: Readonly<Record<string, string>>): [string, string][] =>
  Object.entries(attributes).filter(([name]) => !INTERNAL.test(name))
