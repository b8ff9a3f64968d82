import { headingTarget } from '../rows/heading-target.ts'
import { type FieldValue, NAMES_READ, type RowValues } from '../rows/named-values.ts'
import {
  categoryPath,
  deepestOf,
  filled,
  isConfidential,
  type RowTexts,
  type ShopSystem,
} from './system.ts'

/** Parses `name=value` pairs separated by commas, which values may contain as well. */
function* pairsIn(text = ''): Generator<[name: string, value: string]> {
  let last: [string, string] | undefined
  for (const piece of text.split(',')) {
    const at = piece.indexOf('=')
    const name = at > 0 ? piece.slice(0, at).trim() : ''
    if (/^"?\w+$/.test(name)) {
      if (last) yield [last[0], last[1].replace(/"$/, '')]
      last = [name.replace(/^"/, ''), piece.slice(at + 1).trim()]
    } else if (last) last[1] += `,${piece}`
  }
  if (last) yield [last[0], last[1].replace(/"$/, '')]
}

/** Fields that identify a product, whatever the shop calls the attributes. */
const KNOWN = new Set(['upcs', 'manufacturer', 'manufacturerPartNumber'])

function knownField(attribute: string): string | undefined {
  const target = headingTarget(attribute)
  return target?.to === 'product' && KNOWN.has(target.field) ? target.field : undefined
}

/** The additional attributes, and the fields among them, of which the first text counts. */
function additionalValues(row: RowTexts) {
  const fields: Record<string, string> = {}
  const attributes: [name: string, text: string][] = []
  const pairs = filled([...new Map(pairsIn(row.additional_attributes))]).slice(0, NAMES_READ)
  for (const [name, value] of pairs) {
    if (isConfidential(name)) continue
    const field = knownField(name)
    const text = value.replaceAll('|', ', ')
    if (field === undefined) attributes.push([name, text])
    else fields[field] ??= text
  }
  return { fields, attributes }
}

/** The deepest category, without the root that every shop has. */
function categoryOf(text = ''): string {
  const paths = text.split(/[,|]/).map((path) => path.split('/').slice(1).join('/'))
  return categoryPath(deepestOf(paths, '/'), '/')
}

function variantsOf(row: RowTexts): RowValues[] {
  return (row.configurable_variations ?? '').split('|').flatMap((text): RowValues[] => {
    const { sku, options } = variantIn(text)
    if (!sku || !row.sku) return []
    const named = [...options].map(([name, value]): FieldValue => ['option', value, name])
    return [{ values: [['id', sku], ['groupId', row.sku], ...named] }]
  })
}

function variantIn(text: string) {
  const options = new Map<string, string>()
  let sku: string | undefined
  for (const [name, value] of pairsIn(text)) {
    if (name === 'sku') sku ??= value
    else if (value && (options.has(name) || options.size < NAMES_READ)) options.set(name, value)
    // The variant has too many options, whatever follows.
    if (sku && options.size === NAMES_READ) break
  }
  return { sku, options }
}

/** The product export of Magento and Adobe Commerce. */
export const magento: ShopSystem = {
  name: 'Magento',
  signatures: [['sku', 'attribute_set_code', 'product_type']],
  fields: {
    sku: 'id',
    name: 'name',
    description: 'description',
    short_description: 'description',
    price: 'vendor.cost',
    special_price: 'vendor.salePrice',
    special_price_from_date: 'vendor.saleFrom',
    special_price_to_date: 'vendor.saleUntil',
    msrp_price: 'msrp',
    qty: 'vendor.onHand',
    is_in_stock: 'vendor.inStock',
    base_image: 'image',
    additional_images: 'images',
  },
  read: [
    [/^categories$/, 'category'],
    [/^additional_attributes$/, 'attribute'],
    [/^configurable_variations$/, 'option'],
    [/^(?:store_view_code|attribute_set_code|product_type|product_websites|website_id)$/, null],
    [/^(?:product_online|tax_class_name|visibility|url_key|created_at|updated_at)$/, null],
    [/^(?:small|thumbnail|swatch)_image$|_image_labels?$/, null],
    [/^(?:use_config_|enable_|is_(?:qty_)?decimal|min_|max_|notify_|manage_|allow_)/, null],
    [
      /^(?:out_of_stock_qty|qty_increments|display_product_options_in|gift_message_available)$/,
      null,
    ],
    [/^(?:custom_|page_layout|product_options_container|msrp_display|map_|hide_from_)/, null],
    [/^(?:related|crosssell|upsell|associated)_|^(?:bundle|configurable_variation_)/, null],
  ],
  families: { stand: 'listed', listed: variantsOf },
  roleOf: (row) =>
    row.store_view_code ? 'nothing' : row.product_type === 'configurable' ? 'head' : 'product',
  values(row) {
    const { fields, attributes } = additionalValues(row)
    return { fields: { category: categoryOf(row.categories), ...fields }, attributes }
  },
  isHidden: ({ product_online: online }) => online === '2' || online === '0',
}
