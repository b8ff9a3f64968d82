import {
  categoryPath,
  listOfParts,
  named,
  type RowTexts,
  rememberingLast,
  type ShopSystem,
  unlessZero,
} from './system.ts'

/** The color of a swatch after its name: `Red[#ff0000]`. */
const COLOUR = /\[#[^[\]]{1,100}\]$/

/** `Type=Swatch|Name=Color|Value=RedType=…`: options with or without a separator. */
const optionsOf = (text = ''): [string, string][] => named(swatchesIn(text))

function* swatchesIn(text: string): Generator<[name: string, value: string]> {
  for (const option of text.split('Type=')) {
    const pieces = option.split('|')
    const part = (name: string) =>
      pieces
        .find((piece) => piece.startsWith(`${name}=`))
        ?.slice(name.length + 1)
        .trim() ?? ''
    yield [part('Name'), part('Value').replace(COLOUR, '')]
  }
}

/** A product may have two codes, or the same one in both columns. */
const codesOf = (...codes: readonly (string | undefined)[]): string =>
  [...new Set(codes.filter(Boolean))].join('|')

/** Products without inventory tracking are always in stock. */
const stockOf = (tracking: string | undefined, count: string | undefined) =>
  tracking === 'none' ? { 'vendor.inStock': 'true' } : { 'vendor.onHand': count }

/** A file of the current exporter, with rows of variants and pictures below those of products. */
export const bigcommerce: ShopSystem = {
  name: 'BigCommerce',
  signatures: ['Inventory Tracking', 'Variant Image URL', 'Is Visible', 'Channels'].map((own) => [
    ...['Item', 'ID', 'Name', 'SKU', 'Options', 'Price', own],
  ]),
  fields: {
    SKU: 'id',
    ID: 'id',
    Name: 'name',
    Description: 'description',
    'Manufacturer Part Number': 'manufacturerPartNumber',
    Price: 'vendor.cost',
  },
  read: [
    [/^Options$/, 'option'],
    [/^(?:UPC\/EAN|Global Trade Number)$/, 'upcs'],
    [/^Sale Price$/, 'vendor.salePrice'],
    [/^Retail Price$/, 'msrp'],
    [/^Current Stock$/, 'vendor.onHand'],
    [/^Variant Image URL$/, 'image'],
    [/^(?:Internal Image URL \(Export\)|Image URL(?: \(Import\))?)$/, 'images'],
    [/^(?:Item|Type|Inventory Tracking|Low Stock|Cost Price|Bin Picking Number|Channels)$/, null],
    [/^(?:Free Shipping|Fixed Shipping Cost|Tax Class|Is Featured|Sort Order)$/, null],
    [/^(?:Image Description|Image is Thumbnail|Image Sort Order|Show Product Condition)$/, null],
    [/^(?:YouTube ID|Video .{1,40})$/, null],
  ],
  families: {
    stand: 'together',
    begins: (row) => row.Item === 'Product',
    pictures: ['Internal Image URL (Export)', 'Image URL (Import)', 'Image URL'],
    own: /^(?:ID|Item|SKU|Options|Current Stock|UPC\/EAN|Global Trade|Manufacturer Part|Variant Image|Image |Internal )/,
  },
  roleOf: ({ Item: item }) =>
    item === 'Product'
      ? 'head'
      : item === 'Variant'
        ? 'variant'
        : item === 'Image'
          ? 'part'
          : 'nothing',
  values(row, { head, pictures }) {
    const isVariant = row.Item === 'Variant'
    const image = row['Variant Image URL'] || pictures[0]
    return {
      fields: {
        groupId: isVariant ? head?.SKU || head?.ID : undefined,
        upcs: codesOf(row['UPC/EAN'], row['Global Trade Number']),
        'vendor.salePrice': unlessZero(row['Sale Price']),
        msrp: unlessZero(row['Retail Price']),
        ...stockOf(row['Inventory Tracking'], row['Current Stock']),
        image,
      },
      options: isVariant ? optionsOf(row.Options) : [],
      images: pictures.filter((url) => url !== image),
    }
  },
  isHidden: ({ 'Is Visible': visible }) => visible?.toLowerCase() === 'false',
}

const itemType = (row: RowTexts): string => (row['Item Type'] ?? '').trim()

/** `Category Name: Tees, Category Path: Clothing/Tees`, or the path alone. */
const categoryOf = rememberingLast((text) => {
  const [first = ''] = text.split(/[|;]/)
  const at = first.indexOf('Category Path:')
  return categoryPath(at === -1 ? first : first.slice(at + 'Category Path:'.length), '/')
})

/** `[S]Size=Small,[RB]Color=Red`, which variants have in place of a name. */
function* choicesIn(text: string | undefined): Generator<string[]> {
  for (const [choice = ''] of listOfParts(text)) yield choice.replace(/^\[\w{1,4}\]/, '').split('=')
}

/** A file of the previous exporter, with rows of SKUs below those of products. */
export const bigcommerceLegacy: ShopSystem = {
  name: 'BigCommerce',
  signatures: [['Item Type', 'Product ID', 'Product Name', 'Product Code/SKU', 'Price']],
  fields: {
    'Product Code/SKU': 'id',
    'Product ID': 'id',
    'Product Name': 'name',
    'Brand Name': 'manufacturer',
    'Product Description': 'description',
    'Manufacturer Part Number': 'manufacturerPartNumber',
    Price: 'vendor.cost',
  },
  read: [
    [/^Category$/, 'category'],
    [/^(?:Product UPC\/EAN|Global Trade Item Number)$/, 'upcs'],
    [/^Sale Price$/, 'vendor.salePrice'],
    [/^Retail Price$/, 'msrp'],
    [/^Current Stock Level$/, 'vendor.onHand'],
    [/^Product Image (?:URL|File|Path) - \d{1,4}$/, 'images'],
    [
      /^(?:Item Type|Product Type|Option Set|Option Set Align|Cost Price|Bin Picking Number)$/,
      null,
    ],
    [/^(?:Fixed Shipping Cost|Free Shipping|Track Inventory|Low Stock Level|Sort Order)$/, null],
    [
      /^(?:Allow Purchases\?|Product Availability|Show Product Condition\?|Product Tax Class)$/,
      null,
    ],
    [/^(?:Stop Processing Rules|Redirect Old URL\?|MYOB .{1,40}|Event Date .{1,40})$/, null],
    [/^Product Image (?:ID|Description|Is Thumbnail|Sort) - \d{1,4}$/, null],
  ],
  families: {
    stand: 'together',
    begins: (row) => itemType(row) === 'Product',
    pictures: [],
    own: /^(?:Product (?:ID|Code|Name|UPC)|Item Type|Current Stock|Global Trade|Manufacturer Part)/,
  },
  roleOf: (row) =>
    itemType(row) === 'Product' ? 'head' : itemType(row) === 'SKU' ? 'variant' : 'nothing',
  values(row, { head }) {
    const isVariant = itemType(row) === 'SKU'
    const options = isVariant ? named(choicesIn(row['Product Name'])) : []
    const urls = Object.entries(row).flatMap(([heading, text]) =>
      text && /^Product Image (?:URL|File|Path) - /.test(heading) ? [text] : [],
    )
    // File names mean nothing outside the shop.
    const addresses = urls.filter((url) => url.startsWith('http'))
    const [image, ...images] = [...new Set(addresses.length > 0 ? addresses : urls)]
    return {
      fields: {
        groupId: isVariant ? head?.['Product Code/SKU'] || head?.['Product ID'] : undefined,
        name: isVariant ? head?.['Product Name'] : undefined,
        upcs: codesOf(row['Product UPC/EAN'], row['Global Trade Item Number']),
        category: categoryOf(row.Category),
        'vendor.salePrice': unlessZero(row['Sale Price']),
        msrp: unlessZero(row['Retail Price']),
        ...stockOf(row['Track Inventory'], row['Current Stock Level']),
        image,
      },
      options,
      images,
    }
  },
  isHidden: ({ 'Product Visible?': visible }) => visible === 'N',
}
