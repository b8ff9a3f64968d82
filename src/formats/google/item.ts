import { wordSet } from '../../text.ts'
import type { XmlNode } from '../text/xml-trees.ts'

/** With http, or with https as some shops write it. */
export const NAMESPACE = '//base.google.com/ns/1.0'

/** Elements that fill a list of the product. */
const LISTS = wordSet(' ', ['additional_image_link gtin'])
/** Other elements that an item may repeat. So are those that contain others, such as shipping. */
const REPEATED = wordSet(' ', [
  'ads_labels adwords_labels display_ads_similar_id excluded_destination included_destination',
  'product_highlight promotion_id shopping_ads_excluded_country size_type',
])

/** Also with an undeclared `g:`, which can mean nothing else. */
const isOfGoogle = ({ namespace }: XmlNode): boolean =>
  namespace === 'g' || namespace.includes(NAMESPACE)

/** The elements of Google and those of the feed itself, such as the title of Atom. */
export const fieldsOf = (item: XmlNode): XmlNode[] =>
  item.children.filter((child) => isOfGoogle(child) || child.namespace === item.namespace)

/** The cells of an item in the columns with these names, like those of the same feed in tsv. */
export function cellsOf(item: XmlNode, names: readonly string[]): string[] {
  const byName = Map.groupBy(fieldsOf(item), ({ name }) => name)
  return names.map((name) => cellOf(name, byName.get(name) ?? []))
}

/** Elements of Google replace those of the feed. */
function cellOf(name: string, fields: readonly XmlNode[]): string {
  const filled = fields.filter((field) => textIn(field) !== '')
  const own = filled.filter(isOfGoogle)
  const chosen = own.length > 0 ? own : filled
  const texts = [...new Set(chosen.map(textIn))]
  // An address may have a comma or a bar, but no line break.
  if (LISTS.has(name)) return texts.join('\n')
  if (REPEATED.has(name) || chosen[0]?.children.length) return texts.join(',')
  return texts[0] ?? ''
}

/** One with children is written like `DE:Standard:4.90 EUR`. */
const textIn = ({ children, text, attributes }: XmlNode): string =>
  children.length > 0
    ? children.map(textIn).join(':')
    : text.trim() || (attributes.href ?? '').trim()
