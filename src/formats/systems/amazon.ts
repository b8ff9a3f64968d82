import { type RowTexts, type ShopSystem, withUnit } from './system.ts'

/** The level may be named in the seller's language. */
const isChild = (row: RowTexts): boolean =>
  row.parent_child?.toLowerCase() === 'child' || Boolean(row.parent_sku)
const UNITS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ GR: 'g', KG: 'kg', LB: 'lb', OZ: 'oz' },
    ...{ GRAMS: 'g', KILOGRAMS: 'kg', POUNDS: 'lb', OUNCES: 'oz' },
  }),
)
const GTINS = new Set(['EAN', 'UPC', 'GTIN', 'JAN', 'ISBN'])

/** Columns in which variants may differ. */
const CHOICE =
  /^(color|size|style|material|pattern|flavor|scent|length|width|edition|configuration)_name$/

const choicesOf = (row: RowTexts): [string, string | undefined][] =>
  Object.entries(row).flatMap(([heading, text]): [string, string | undefined][] => {
    const name = CHOICE.exec(heading)?.[1]
    return name === undefined ? [] : [[name, text]]
  })

/**
 * Options from the columns in the theme of a family: `SizeColor` stands for `size_name` and
 * `color_name`.
 */
function optionsOf(row: RowTexts, head: RowTexts | undefined): [string, string | undefined][] {
  const theme = (row.variation_theme || head?.variation_theme || '').toLowerCase()
  return choicesOf(row).filter(([name]) => theme.includes(name))
}

/** A flat file of products, with rows of its template above the header. */
export const amazon: ShopSystem = {
  name: 'Amazon',
  signatures: [
    ['item_sku', 'item_name', 'standard_price'],
    ['item_sku', 'item_name', 'external_product_id'],
  ],
  fields: {
    item_sku: 'id',
    item_name: 'name',
    product_description: 'description',
    brand_name: 'manufacturer',
    manufacturer: 'manufacturer',
    part_number: 'manufacturerPartNumber',
    standard_price: 'vendor.cost',
    sale_price: 'vendor.salePrice',
    sale_from_date: 'vendor.saleFrom',
    sale_end_date: 'vendor.saleUntil',
    list_price: 'msrp',
    list_price_with_tax: 'msrp',
    quantity: 'vendor.onHand',
    main_image_url: 'image',
    item_type: 'category',
    item_type_name: 'category',
    feed_product_type: 'category',
  },
  read: [
    [/^external_product_id$/, 'upcs'],
    [/^parent_sku$/, 'groupId'],
    [/^other_image_url\d{0,2}$/, 'images'],
    [/^update_delete$/, 'delete'],
    [CHOICE, 'option'],
    [/^(?:item|package|website_shipping)_weight$/, 'attribute'],
    [/^(?:external_product_id_type|parent_child|relationship_type|variation_theme)$/, null],
    [/^(?:item|package|website_shipping)_weight_unit_of_measure$/, null],
    // Prices for other businesses, and the bounds of automatic ones, are not for shoppers.
    [/^(?:business_price|map_price|(?:minimum|maximum)_seller_allowed_price)$/, null],
    [/^(?:quantity_price|quantity_lower_bound|purchasable_offer)/, null],
    [/^(?:swatch_image_url|merchant_shipping_group_name|fulfillment_.{1,40})$/, null],
  ],
  families: {
    stand: 'apart',
    namesOf: (head) => [head.item_sku ?? ''],
    headOf: (row) => row.parent_sku ?? '',
    own: /^(?:item_sku$|external_|standard_price|sale_|list_price|quantity|main_image|other_image|parent_|update_delete)|_name$/,
  },
  roleOf: (row) => (isChild(row) ? 'variant' : row.parent_child ? 'head' : 'product'),
  values(row, { head }) {
    const images = Object.entries(row).flatMap(([heading, url]) =>
      url && /^other_image_url\d{0,2}$/.test(heading) ? [url] : [],
    )
    const isGtin = GTINS.has(row.external_product_id_type?.toUpperCase() ?? '')
    const weights = ['item', 'package', 'website_shipping'].map((kind) => {
      const unit = row[`${kind}_weight_unit_of_measure`]
      return [
        `${kind}_weight`,
        withUnit(row[`${kind}_weight`], UNITS.get(unit?.toUpperCase() ?? '') ?? unit),
      ] as const
    })
    return {
      fields: {
        groupId: isChild(row) ? row.parent_sku : undefined,
        name: row.item_name || head?.item_name,
        manufacturer: row.brand_name || head?.brand_name,
        upcs: isGtin ? row.external_product_id : undefined,
        delete: row.update_delete?.toLowerCase() === 'delete' ? 'true' : undefined,
      },
      options: isChild(row) ? optionsOf(row, head) : [],
      attributes: [
        ...weights,
        ...choicesOf(row),
        [row.external_product_id_type ?? '', isGtin ? undefined : row.external_product_id],
      ],
      images,
    }
  },
}
