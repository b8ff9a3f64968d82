import { amazon } from './amazon.ts'
import { folded, type ShopSystem } from './system.ts'

/** Places, languages and audiences in a heading such as `color[language_tag=de_DE]#1.value`. */
const QUALIFIER = /\[[^[\]]{0,100}\]/g
/** Offers for other businesses, whose prices are not those of the shop. */
const OTHER_AUDIENCE = /\[audience=(?!all\])/

const OFFER = 'purchasable_offer#1.'
const SCHEDULE = '_price#1.schedule#1.'

/** The previous name for each heading of today, without qualifiers. */
const PREVIOUS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'contribution_sku#1.value': 'item_sku',
    'product_type#1.value': 'feed_product_type',
    '::record_action': 'update_delete',
    'parentage_level#1.value': 'parent_child',
    'child_parent_sku_relationship#1.parent_sku': 'parent_sku',
    'variation_theme#1.name': 'variation_theme',
    'brand#1.value': 'brand_name',
    'item_type_keyword#1.value': 'item_type',
    'bullet_point#1.value': 'bullet_point1',
    'amzn1.volt.ca.product_id_type': 'external_product_id_type',
    'amzn1.volt.ca.product_id_value': 'external_product_id',
    'main_product_image_locator#1.media_location': 'main_image_url',
    'list_price#1.value': 'list_price',
    'list_price#1.value_with_tax': 'list_price_with_tax',
    'fulfillment_availability#1.quantity': 'quantity',
    [`${OFFER}our${SCHEDULE}value_with_tax`]: 'standard_price',
    [`${OFFER}discounted${SCHEDULE}value_with_tax`]: 'sale_price',
    [`${OFFER}discounted${SCHEDULE}start_at`]: 'sale_from_date',
    [`${OFFER}discounted${SCHEDULE}end_at`]: 'sale_end_date',
    'apparel_size#1.size': 'size_name',
    'item_package_weight#1.value': 'package_weight',
    'item_package_weight#1.unit': 'package_weight_unit_of_measure',
    'item_weight#1.unit': 'item_weight_unit_of_measure',
    'website_shipping_weight#1.unit': 'website_shipping_weight_unit_of_measure',
    ...Object.fromEntries(
      ['color', 'size', 'style', 'material', 'pattern', 'flavor', 'scent', 'configuration'].map(
        (name) => [`${name}#1.value`, `${name}_name`],
      ),
    ),
  }),
)
const OTHER_IMAGE = /^other_product_image_locator_(\d{1,2})#1\.media_location$/
const PLAIN = /^(\w{1,100})#(\d{1,4})\.value$/

/** `bullet_point[…]#2.value` is `bullet_point2`; undefined for headings of other files. */
function previousName(heading: string): string | undefined {
  const text = folded(heading)
  if (!/#\d|^::|^amzn1\./.test(text) || OTHER_AUDIENCE.test(text)) return undefined
  const name = text.replace(QUALIFIER, '')
  const known = PREVIOUS.get(name)
  if (known !== undefined) return known
  const picture = OTHER_IMAGE.exec(name)?.[1]
  if (picture !== undefined) return `other_image_url${picture}`
  const [, plain, number] = PLAIN.exec(name) ?? []
  return plain === undefined ? undefined : plain + (number === '1' ? '' : number)
}

/** The templates of today, whose headings name the place, the language and the part of a value. */
export const amazonCurrent: ShopSystem = { ...amazon, english: previousName }
