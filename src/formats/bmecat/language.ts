import { childOf, childrenOf, type XmlNode } from '../text/xml-trees.ts'

/** The language of a catalog by its header: the default one, else the first. */
export function languageOf(header: XmlNode | undefined): string | null {
  const all = childrenOf(childOf(header, 'CATALOG'), 'LANGUAGE')
  const usual = all.find(({ attributes }) => attributes.default === 'true') ?? all[0]
  return usual?.text.trim().toLowerCase() || null
}

/**
 * Reduces a tree to one language. Of elements in several languages, those in `wanted` are kept,
 * else those in the first one. Elements without a language stay.
 */
export function inLanguage(node: XmlNode, wanted: string | null): XmlNode {
  if (node.children.length === 0) return node
  const children = spoken(node.children, wanted).map((child) => inLanguage(child, wanted))
  return { ...node, children }
}

function spoken(children: readonly XmlNode[], wanted: string | null): readonly XmlNode[] {
  const chosen = new Map<string, string>()
  for (const child of children) {
    const language = spokenIn(child)
    if (language === undefined) continue
    if (language === wanted || !chosen.has(child.name)) chosen.set(child.name, language)
  }
  if (chosen.size === 0) return children
  return children.filter((child) => {
    const language = spokenIn(child)
    return language === undefined || language === chosen.get(child.name)
  })
}

const spokenIn = ({ attributes }: XmlNode): string | undefined => attributes.lang?.toLowerCase()
