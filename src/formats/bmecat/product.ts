import { limits } from '../../limits.ts'
import { cut } from '../../text.ts'
import { type FieldValue, pair, type RowValues } from '../rows/named-values.ts'
import { childOf, childrenOf, childText, type XmlNode } from '../text/xml-trees.ts'
import type { GroupPath } from './groups.ts'
import { mediaOf } from './media.ts'
import { type PriceTerms, pricesOf } from './prices.ts'

/** What applies to all products of a file. */
export interface ProductTerms extends PriceTerms {
  /** Base of relative addresses of pictures. */
  readonly mimeRoot: string
  /** Whether only the vendor's prices are imported. */
  readonly pricesOnly: boolean
}

const PRODUCT_NUMBERS = ['SUPPLIER_AID', 'SUPPLIER_PID']
const BARCODE = /^\d{8}$|^\d{12,14}$/

export const productIdOf = (product: XmlNode): string => childText(product, ...PRODUCT_NUMBERS)

export const detailsOf = (product: XmlNode) =>
  childOf(product, 'ARTICLE_DETAILS', 'PRODUCT_DETAILS')

const isWithdrawn = (product: XmlNode): boolean => product.attributes.mode === 'delete'

/** The reason why a product cannot be imported, if there is one. */
export function problemOf(product: XmlNode, terms: ProductTerms): string | undefined {
  if (productIdOf(product) === '') return 'no SUPPLIER_AID or SUPPLIER_PID'
  return isWithdrawn(product) ? undefined : pricesOf(product, terms).problem
}

/** The values of an ARTICLE or PRODUCT. */
export function valuesOf(product: XmlNode, path: GroupPath, terms: ProductTerms): RowValues {
  const number = pair('vendor.vendorPartNumber', productIdOf(product))
  if (isWithdrawn(product)) return { values: number, action: 'withdraw' }
  const { cost, msrp } = pricesOf(product, terms)
  const offer = [
    ...number,
    ...pair('vendor.cost', cost),
    ...pair('vendor.onHand', stockOf(product)),
  ]
  if (terms.pricesOnly) return { values: offer, action: 'update' }
  const { images, links } = mediaOf(product, terms.mimeRoot)
  return {
    values: [
      ...offer,
      ...pair('msrp', msrp),
      ...descriptive(detailsOf(product)),
      ...groupValues(path),
      ...featureValues(product),
      ...pair('image', images[0] ?? ''),
    ],
    ...(images.length > 0 ? { images } : {}),
    ...(links.length > 0 ? { links } : {}),
  }
}

const named = (name: string, text: string): FieldValue[] =>
  text === '' ? [] : [['attribute', cut(text, limits.valueLength), name]]

function descriptive(details: XmlNode | undefined): FieldValue[] {
  const short = childText(details, 'DESCRIPTION_SHORT')
  const long = childText(details, 'DESCRIPTION_LONG')
  const keywords = childrenOf(details, 'KEYWORD').map(({ text }) => text.trim())
  return [
    ...pair('name', cut(short, limits.productNameLength)),
    ...pair('description', cut(long || short, limits.valueLength)),
    ...pair('manufacturer', childText(details, 'MANUFACTURER_NAME')),
    ...pair('manufacturerPartNumber', childText(details, 'MANUFACTURER_AID', 'MANUFACTURER_PID')),
    ...pair('upcs', barcodesOf(details).join('\n')),
    ...named('Keywords', keywords.filter((word) => word !== '').join(', ')),
  ]
}

function barcodesOf(details: XmlNode | undefined): string[] {
  const all = childrenOf(details, 'EAN', 'INTERNATIONAL_AID', 'INTERNATIONAL_PID')
  return [...new Set(all.map(({ text }) => text.trim()).filter((text) => BARCODE.test(text)))]
}

/** At most three levels. A deeper group has its two top levels and its own name. */
function groupValues(path: GroupPath): FieldValue[] {
  const fields = ['segment', 'category', 'subCategory']
  const names = path.length > 3 ? [path[0]!, path[1]!, path.at(-1)!] : path
  return names.flatMap((name, at) => pair(fields[at]!, cut(name, limits.nameLength)))
}

function featureValues(product: XmlNode): FieldValue[] {
  const values = new Map<string, string>()
  const classes: FieldValue[] = []
  for (const features of childrenOf(product, 'ARTICLE_FEATURES', 'PRODUCT_FEATURES')) {
    const system = childText(features, 'REFERENCE_FEATURE_SYSTEM_NAME')
    const group = childText(features, 'REFERENCE_FEATURE_GROUP_ID', 'REFERENCE_FEATURE_GROUP_NAME')
    if (/unspsc/i.test(system)) classes.push(...pair('unspsc', group))
    else if (system !== '') classes.push(...named(cut(system, limits.nameLength), group))
    for (const feature of childrenOf(features, 'FEATURE')) {
      const name = cut(childText(feature, 'FNAME'), limits.nameLength)
      const text = featureText(feature)
      if (name !== '' && text !== '' && !values.has(name)) values.set(name, text)
    }
  }
  const all = [...classes, ...[...values].flatMap(([name, text]) => named(name, text))]
  return unique(all)
}

function featureText(feature: XmlNode): string {
  const texts = childrenOf(feature, 'FVALUE').map(({ text }) => text.trim())
  const unit = childText(feature, 'FUNIT')
  const text = texts.filter((one) => one !== '' && one !== '-').join(', ')
  return text === '' || unit === '' ? text : `${text} ${unit}`
}

/** Keeps the first of repeated values. */
function unique(values: readonly FieldValue[]): FieldValue[] {
  const byName = Map.groupBy(values, ([field, , name]) => `${field}\n${name ?? ''}`)
  return [...byName.values()].map(([first]) => first!)
}

/** BMEcat has no stock, but many catalogs have an element of their own for it. */
function stockOf(product: XmlNode): string {
  const own = childOf(product, 'USER_DEFINED_EXTENSIONS')?.children ?? []
  const element = [...product.children, ...own].find(({ name }) => /(?:^|[._])STOCK$/i.test(name))
  const text = element?.text.trim() ?? ''
  return /^\d+(?:\.\d+)?$/.test(text) ? text : ''
}
