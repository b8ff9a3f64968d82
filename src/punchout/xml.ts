/** An XML element; texts among its children are escaped when it is written. */
export interface CxmlElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly (CxmlElement | string)[]
}

export const element = (
  name: string,
  attributes: CxmlElement['attributes'],
  children: CxmlElement['children'],
): CxmlElement => ({ name, attributes, children })

const DTD = 'http://xml.cxml.org/schemas/cXML/1.2.014/cXML.dtd'

/** A whole cXML document, declared and on one line. */
export const xmlDocument = (root: CxmlElement): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE ${root.name} SYSTEM "${DTD}">\n${xml(root)}\n`

function xml(node: CxmlElement | string): string {
  if (typeof node === 'string') return escaped(node)
  const attributes = Object.entries(node.attributes).map(
    ([name, value]) => ` ${name}="${escaped(value)}"`,
  )
  const open = `${node.name}${attributes.join('')}`
  if (node.children.length === 0) return `<${open}/>`
  return `<${open}>${node.children.map(xml).join('')}</${node.name}>`
}

// Everything but what XML 1.0 calls Char; by code points, so that halves of a pair are dropped.
const UNHOLDABLE = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  // Escaped, since a parser would turn them into spaces or line feeds.
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
}

/** Escapes text for an element or an attribute, without characters that XML cannot represent. */
export const escaped = (text: string): string =>
  text.replace(UNHOLDABLE, '').replace(/[&<>"'\t\n\r]/g, (sign) => ENTITIES[sign]!)
