import {
  categoryPath,
  deepestOf,
  type RowTexts,
  rememberingLast,
  type ShopSystem,
  withUnit,
} from './system.ts'
import { englishHeading } from './woocommerce-headings.ts'

const ATTRIBUTE = /^Attribute (\d{1,4}) name$/i
const MEASURE =
  /^(Weight|Length|Width|Height|Gewicht|Länge|Breite|Höhe|Poids|Longueur|Largeur|Hauteur|Peso|Longitud|Largo|Anchura|Ancho|Altura|Lunghezza|Larghezza|Altezza|Lengte|Breedte|Hoogte) \(([^()]{1,20})\)$/

const types = (row: RowTexts): string[] => (row.Type ?? '').split(',').map((type) => type.trim())
const isVariation = (row: RowTexts): boolean => types(row).includes('variation')

const attributesOf = (row: RowTexts) =>
  Object.entries(row).flatMap(([heading, name = '']): [string, string | undefined][] => {
    const number = ATTRIBUTE.exec(heading)?.[1]
    return number === undefined ? [] : [[name, row[`Attribute ${number} value(s)`]]]
  })

/**
 * The deepest category, the first of equally deep ones. A comma separates them unless a backslash
 * precedes it.
 */
const categoryOf = rememberingLast((text) => {
  const paths = text
    .split(/(?<!\\),/)
    .map((path) => categoryPath(path.replaceAll('\\,', ','), '>'))
    .filter((path) => path !== '')
  return deepestOf(paths, '>')
})

/** The product csv of the built-in exporter. */
export const woocommerce: ShopSystem = {
  name: 'WooCommerce',
  signatures: ['Published', 'Parent', 'Visibility in catalog', 'In stock?'].map((one) => [
    ...['Type', 'SKU', 'Name', 'Regular price', one],
  ]),
  english: englishHeading,
  fields: {
    SKU: 'id',
    ID: 'id',
    Name: 'name',
    Description: 'description',
    'Short description': 'description',
    'GTIN, UPC, EAN, or ISBN': 'upcs',
    Brands: 'manufacturer',
    Images: 'image',
    'Regular price': 'vendor.cost',
    'Sale price': 'vendor.salePrice',
    'Date sale price starts': 'vendor.saleFrom',
    'Date sale price ends': 'vendor.saleUntil',
    'In stock?': 'vendor.inStock',
  },
  read: [
    [/^Parent$/, 'groupId'],
    [/^Categories$/, 'category'],
    [/^Stock$/, 'vendor.onHand'],
    [/^Attribute \d{1,4} (?:name|value\(s\))$/i, 'option'],
    [MEASURE, 'attribute'],
    [/^(?:Type|Position|Is featured\?|Visibility in catalog|Tax (?:status|class))$/, null],
    [/^(?:Low stock amount|Backorders allowed\?|Sold individually\?|Shipping class)$/, null],
    [/^(?:Allow customer reviews\?|Purchase note|Button text|Download .{1,40})$/, null],
    [/^(?:Grouped products|Upsells|Cross-sells|Cost of goods)$/, null],
    [/^Attribute \d{1,4} (?:visible|global|default)$/i, null],
  ],
  families: {
    stand: 'apart',
    namesOf: (head) => [head.SKU ?? '', head.ID ? `id:${head.ID}` : ''],
    headOf: (row) => row.Parent ?? '',
    own: /^(?:ID|Type|SKU|GTIN|Parent$|Published$|Regular|Sale |Date sale|In stock|Stock$|Attribute )/,
  },
  // As in its importer, a backslash and an n is a new line, and two backslashes are one.
  textOf: (heading, text) =>
    /escription$/.test(heading)
      ? text
          .split('\\\\n')
          .map((part) => part.replaceAll('\\n', '\n'))
          .join('\\n')
      : text,
  roleOf: (row) =>
    isVariation(row) ? 'variant' : types(row).includes('variable') ? 'head' : 'product',
  values(row, { head }) {
    const measures = Object.entries(row).flatMap(([heading, text]) => {
      const [, name = '', unit] = MEASURE.exec(heading) ?? []
      return name === '' ? [] : [[name, withUnit(text, unit)] as const]
    })
    const named = attributesOf(row)
    // A variation names its parent by the id in the file or by SKU.
    const parent = row.Parent?.replace(/^id:/, '')
    return {
      fields: {
        category: categoryOf(row.Categories),
        groupId: isVariation(row) ? head?.SKU || parent : undefined,
        // `parent` means that all variations share the stock.
        'vendor.onHand': row.Stock === 'parent' ? undefined : row.Stock,
      },
      options: isVariation(row) ? named : [],
      attributes: [...(isVariation(row) ? [] : named), ...measures],
    }
  },
  isHidden: ({ Published: published }) => published === '0' || published === '-1',
}
