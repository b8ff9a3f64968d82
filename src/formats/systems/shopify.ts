import { limits } from '../../limits.ts'
import { filled, named, type Said, type ShopSystem, withUnit } from './system.ts'

const OPTIONS = [1, 2, 3]

const optionsOf = (row: Said, head: Said | undefined) =>
  OPTIONS.map((n) => [head?.[`Option${n} Name`] ?? '', row[`Option${n} Value`]] as const)
    // A product that has no variants has this one.
    .filter(([name, value]) => name !== '' && value && value !== 'Default Title')

/** The products csv: several rows are one product, and options have names of their own. */
export const shopify: ShopSystem = {
  name: 'Shopify',
  signatures: [['Handle', 'Title', 'Option1 Name', 'Option1 Value', 'Variant Price']],
  fields: {
    Title: 'name',
    'Body (HTML)': 'description',
    Vendor: 'manufacturer',
    'Product Category': 'category',
    Type: 'category',
    'Variant Barcode': 'upcs',
    'Variant Price': 'vendor.cost',
    'Variant Compare At Price': 'msrp',
    'Variant Inventory Qty': 'vendor.onHand',
  },
  read: [
    [/^Variant SKU$/, 'id'],
    [/^Handle$/, 'groupId'],
    [/^Option\d (?:Name|Value)$/, 'option'],
    [/^Image Src$/, 'images'],
    [/^Variant Image$/, 'image'],
    [/^Variant Grams$/, 'attribute'],
    // What a product costs the shop is nobody else's business.
    [/^(?:Cost per item|Image Position|Variant Weight Unit)$/, null],
  ],
  families: {
    stand: 'together',
    begins: (row, first) => row.Handle !== first.Handle,
    pictures: ['Image Src'],
    // What the rows of variants and pictures leave to the first row of their handle is all but this.
    own: /^(?:Variant |Option\d |Image |Cost per item)/,
  },
  roleOf: (row) =>
    row['Option1 Value'] || row['Variant SKU'] || row['Variant Price'] ? 'variant' : 'part',
  values(row, { head, pictures }) {
    const options = optionsOf(row, head)
    const handle = row.Handle ?? ''
    const image = row['Variant Image'] || pictures[0]
    return {
      values: [
        ...filled({
          id: row['Variant SKU'] || [handle, ...options.map(([, value]) => value)].join('-'),
          groupId: options.length > 0 ? handle : undefined,
          image,
        }),
        ...named('option', options),
        ...named('attribute', [['Weight', withUnit(row['Variant Grams'], 'g')]]),
      ],
      images: pictures.filter((url) => url !== image).slice(0, limits.productListEntries),
    }
  },
  isHidden: ({ Status: status, Published: published }) =>
    ['draft', 'archived'].includes(status?.toLowerCase() ?? '') ||
    published?.toLowerCase() === 'false',
}
