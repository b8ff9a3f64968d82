import { limits } from '../../limits.ts'
import { type Decimal, parseNumber } from '../rows/cell-values.ts'
import {
  categoryPath,
  listOfParts,
  named,
  type RowTexts,
  type ShopSystem,
  withUnit,
} from './system.ts'

/** The reduced price, by an amount or by a percentage. */
function reducedPrice(row: RowTexts, decimal: Decimal): string | undefined {
  const discounts = [row['Discount amount'], row['Discount percent']]
  const [amount, percent] = discounts.map((text) => parseNumber(text ?? '0', decimal))
  // Other text is refused like any invalid price.
  if (amount === undefined) return discounts[0]
  if (percent === undefined) return discounts[1]
  const price = parseNumber(priceOf(row) ?? '', decimal) ?? 0
  const reduced = amount > 0 ? price - amount : price * (1 - percent / 100)
  return reduced > 0 && reduced < price ? reduced.toFixed(2) : undefined
}

const priceOf = (row: RowTexts): string | undefined =>
  row['Price tax included'] ??
  row['Price tax excluded'] ??
  row['Price tax excluded or Price tax included']

/** A file in the format of the shop's import. */
export const prestashop: ShopSystem = {
  name: 'PrestaShop',
  signatures: [['Active (0/1)', 'Name *', 'Categories (x,y,z...)', 'Reference #']],
  fields: {
    'Reference #': 'id',
    'Product ID': 'id',
    ID: 'id',
    'Name *': 'name',
    Description: 'description',
    Summary: 'description',
    'Short description': 'description',
    Manufacturer: 'manufacturer',
    Brand: 'manufacturer',
    MPN: 'manufacturerPartNumber',
    'Price tax included': 'vendor.cost',
    'Price tax excluded': 'vendor.cost',
    'Price tax excluded or Price tax included': 'vendor.cost',
    'Discount from (yyyy-mm-dd)': 'vendor.saleFrom',
    'Discount to (yyyy-mm-dd)': 'vendor.saleUntil',
    Quantity: 'vendor.onHand',
    'Image URLs (x,y,z...)': 'image',
  },
  read: [
    [/^(?:EAN13|UPC)$/, 'upcs'],
    [/^Categories \(/, 'category'],
    [/^Discount (?:amount|percent)$/, 'vendor.salePrice'],
    [/^Feature\s?\(/, 'attribute'],
    // Purchase price and supplier are confidential.
    [/^(?:Wholesale price|Supplier|Supplier reference #)$/, null],
    [/^(?:Tax rules ID|On sale \(0\/1\)|Ecotax|Minimal quantity|Low stock level)$/, null],
    [
      /^(?:Send me an email|Additional shipping|Text when|Delete existing|ID \/ Name of shop)/,
      null,
    ],
    [/^(?:Advanced stock|Depends On Stock|Warehouse|Visibility|Image alt texts|Show price)/i, null],
    [
      /^(?:Available (?:for order|online)|Customizable|Uploadable files|Text fields|File URL)/,
      null,
    ],
    [
      /^(?:Out of stock|Virtual product|Number of|Expiration date|Product creation|Acc?essories)/,
      null,
    ],
  ],
  values(row, { decimal }) {
    const categories = Object.entries(row).find(([name]) => name.startsWith('Categories ('))?.[1]
    const features = Object.entries(row).find(([name]) => /^Feature\s?\(/.test(name))?.[1]
    return {
      fields: {
        upcs: [row.EAN13, row.UPC].filter(Boolean).join('|'),
        category: categoryPath(categories?.split(',')[0] ?? '', '/'),
        'vendor.salePrice': reducedPrice(row, decimal),
      },
      attributes: [...named(listOfParts(features)), ['Weight', withUnit(row.Weight, 'kg')]],
    }
  },
  isHidden: (row) => row['Active (0/1)'] === '0',
}

function* firstParts(text: string | undefined): Generator<string> {
  for (const [first = ''] of listOfParts(text)) yield first
}

/** Each name with the value at its position. */
function* pairsOf(names: string | undefined, values: string | undefined) {
  const chosen = firstParts(values)
  for (const name of firstParts(names)) yield [name, chosen.next().value as string | undefined]
}

/** An id of the product and the values that were chosen. */
function idOf(product: string | undefined, values: string | undefined): string {
  const parts = [product]
  for (const value of firstParts(values)) {
    // The id is too long already, and is cut.
    if (parts.length > limits.idLength + 1) break
    parts.push(value)
  }
  return parts.join('-')
}

/** The file of combinations, which are variants of the products with their ids. */
export const prestashopCombinations: ShopSystem = {
  name: 'PrestaShop',
  signatures: [
    ['Product ID*', 'Attribute (Name:Type:Position)*', 'Value (Value:Position)*'],
    ['Product ID', 'Attribute (Name:Type:Position)*', 'Value (Value:Position)*'],
  ],
  fields: {
    Reference: 'id',
    'Product ID*': 'groupId',
    'Product ID': 'groupId',
    'Product Reference': 'groupId',
    MPN: 'manufacturerPartNumber',
    Quantity: 'vendor.onHand',
    'Image URLs (x,y,z...)': 'image',
  },
  read: [
    [/^(?:EAN13|UPC)$/, 'upcs'],
    [/^(?:Attribute|Value) \(/, 'option'],
    [/^(?:Wholesale price|Supplier reference|Ecotax|Minimal quantity|Low stock level)$/, null],
    [/^(?:Default \(|Combination available|Image position|Image alt|ID \/ Name|Warehouse)/, null],
    [/^(?:Advanced Stock|Depends on|Send me an email|Delete existing)/i, null],
  ],
  values(row) {
    const names = row['Attribute (Name:Type:Position)*']
    const values = row['Value (Value:Position)*']
    return {
      fields: {
        id: row.Reference || idOf(row['Product ID*'] ?? row['Product ID'], values),
        upcs: [row.EAN13, row.UPC].filter(Boolean).join('|'),
      },
      options: named(pairsOf(names, values)),
    }
  },
}
