import { keyedWords } from '../../text.ts'
import type { ShopSystem } from './system.ts'

/** Fields by the usual codes of attributes. */
const CODES: ReadonlyMap<string, string> = new Map(
  keyedWords(' ', {
    id: 'sku identifier',
    name: 'name label title product_name',
    description: 'description long_description short_description',
    manufacturer: 'brand manufacturer',
    manufacturerPartNumber: 'mpn manufacturer_part_number manufacturer_reference',
    upcs: 'ean gtin upc ean13 barcode',
    msrp: 'msrp rrp list_price recommended_price',
    'vendor.cost': 'price base_price sales_price',
    'vendor.salePrice': 'special_price sale_price',
    'vendor.saleFrom':
      'special_price_from special_price_from_date special_from_date sale_price_from',
    'vendor.saleUntil': 'special_price_to special_price_to_date special_to_date sale_price_to',
    'vendor.onHand': 'stock quantity',
    image: 'picture image main_image main_picture image_1 packshot',
    images: 'images pictures media additional_images gallery',
    groupId: 'parent',
  }),
)
const UNITS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ KILOGRAM: 'kg', GRAM: 'g', MILLIGRAM: 'mg', POUND: 'lb', OUNCE: 'oz', METER: 'm' },
    ...{ CENTIMETER: 'cm', MILLIMETER: 'mm', INCH: 'in', LITER: 'l', MILLILITER: 'ml', WATT: 'W' },
  }),
)
const UNIT = /-unit$/

/** The product export, csv or xlsx. Attributes may depend on locale, channel and currency. */
export const akeneo: ShopSystem = {
  name: 'Akeneo',
  signatures: ['sku', 'identifier', 'uuid'].map((id) => [
    ...[id, 'categories', 'enabled', 'family', 'groups'],
  ]),
  fields: {},
  fieldOf: (heading) =>
    heading === 'uuid' ? 'id' : UNIT.test(heading) ? undefined : CODES.get(heading.split('-')[0]!),
  currencyOf: (heading) => /-([A-Z]{3})$/.exec(heading)?.[1],
  read: [
    [/^categories$/, 'category'],
    [UNIT, 'attribute'],
    [/^[\w]{1,100}-(?:groups|products|product_models|products-quantity)$/, null],
    [/^groups$/, null],
  ],
  values(row) {
    const measures = Object.entries(row).flatMap(([heading, unit = '']) => {
      const name = heading.replace(UNIT, '')
      const amount = UNIT.test(heading) ? row[name] : undefined
      return amount ? [[name, `${amount} ${UNITS.get(unit) ?? unit}`.trim()] as const] : []
    })
    return { fields: { category: row.categories?.split(',')[0] }, attributes: measures }
  },
  isHidden: ({ enabled }) => enabled === '0',
}
