import { folded, type RowTexts, type ShopSystem, unlessZero, withUnit } from './system.ts'

const OPTIONS = [1, 2, 3]

/** The previous heading for each new one, unless they differ only in case. */
const NEW_HEADINGS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'url handle': 'Handle',
    description: 'Body (HTML)',
    'published on online store': 'Published',
    sku: 'Variant SKU',
    barcode: 'Variant Barcode',
    price: 'Variant Price',
    'compare-at price': 'Variant Compare At Price',
    'inventory quantity': 'Variant Inventory Qty',
    'inventory tracker': 'Variant Inventory Tracker',
    'weight value (grams)': 'Variant Grams',
    'weight unit for display': 'Variant Weight Unit',
    'product image url': 'Image Src',
    'image position': 'Image Position',
    'variant image url': 'Variant Image',
    ...Object.fromEntries(
      OPTIONS.flatMap((n) =>
        ['Name', 'Value'].map((part) => [`option${n} ${part.toLowerCase()}`, `Option${n} ${part}`]),
      ),
    ),
  }),
)

const optionsOf = (row: RowTexts, head: RowTexts | undefined) =>
  OPTIONS.map((n) => [head?.[`Option${n} Name`] ?? '', row[`Option${n} Value`]] as const)
    // The only option of a product without variants.
    .filter(([name, value]) => name !== '' && value && value !== 'Default Title')

/** The product csv until 2025. Several rows are one product, and options have their own names. */
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
  },
  read: [
    [/^Variant SKU$/, 'id'],
    [/^Handle$/, 'groupId'],
    [/^Option\d (?:Name|Value)$/, 'option'],
    [/^Image Src$/, 'images'],
    [/^Variant Image$/, 'image'],
    [/^Variant Grams$/, 'attribute'],
    [/^Variant Inventory Qty$/, 'vendor.onHand'],
    [/^Variant Inventory Tracker$/, 'vendor.inStock'],
    // The purchase price is confidential.
    [/^(?:Cost per item|Image Position|Variant Weight Unit)$/, null],
  ],
  families: {
    stand: 'together',
    begins: (row, first) => row.Handle !== first.Handle,
    pictures: ['Image Src'],
    // Other columns are only filled in the first row of a handle.
    own: /^(?:Variant |Option\d |Image |Cost per item|Charge tax|Tax code|Unit price|Continue selling|Requires shipping|Fulfillment service|(?:Compare At )?Price \/)/i,
  },
  roleOf: (row) =>
    row['Option1 Value'] || row['Variant SKU'] || row['Variant Price'] ? 'variant' : 'part',
  values(row, { head, pictures, has }) {
    const options = optionsOf(row, head)
    const quantity = row['Variant Inventory Qty']
    // Products without inventory tracking are always in stock.
    const isUncounted =
      has('Variant Inventory Tracker') &&
      row['Variant Inventory Tracker'] === undefined &&
      unlessZero(quantity) === undefined
    const handle = row.Handle ?? ''
    const image = row['Variant Image'] || pictures[0]
    return {
      fields: {
        id: row['Variant SKU'] || [handle, ...options.map(([, value]) => value)].join('-'),
        groupId: options.length > 0 ? handle : undefined,
        image,
        'vendor.onHand': isUncounted ? undefined : quantity,
        'vendor.inStock': isUncounted ? 'true' : undefined,
      },
      options,
      attributes: [['Weight', withUnit(row['Variant Grams'], 'g')]],
      images: pictures.filter((url) => url !== image),
    }
  },
  isHidden: ({ Status: status, Published: published }) =>
    ['draft', 'archived'].includes(status?.toLowerCase() ?? '') ||
    published?.toLowerCase() === 'false',
}

/** The current product csv, with new headings, some of which meant something else before. */
export const shopifyCurrent: ShopSystem = {
  ...shopify,
  english: (heading) => NEW_HEADINGS.get(folded(heading)),
}
