import { limits } from '../../limits.ts'
import { type Attributes, sizeOf, type XmlReader } from './xml.ts'
import { createNamespaces } from './xml-namespaces.ts'

/** A wanted element with all its content. */
export interface XmlNode {
  /** Without a prefix. */
  readonly name: string
  /** Empty for none; the prefix itself if it is not declared. */
  readonly namespace: string
  readonly attributes: Attributes
  readonly line: number
  readonly children: readonly XmlNode[]
  readonly text: string
  /** Set if it exceeds limits.importRowBytes, so that only its beginning is present. */
  readonly isCut: boolean
}

interface OpenNode extends XmlNode {
  readonly children: OpenNode[]
  text: string
  isCut: boolean
}

/** Size of an element besides its characters. */
const OVERHEAD = 50

/** Reads the elements with these names as trees and skips everything else. */
export function createTrees(
  wanted: ReadonlySet<string>,
  onOpen: (name: string, depth: number) => void = () => undefined,
): XmlReader<XmlNode> {
  return (emit) => {
    const path: OpenNode[] = []
    const namespaces = createNamespaces()
    let depth = 0
    let size = 0
    /** Depth within elements that are skipped because the tree is too large. */
    let skipped = 0
    return {
      open(name, attributes, line, prefix) {
        namespaces.open(attributes)
        onOpen(name, depth++)
        if (path.length === 0 && !wanted.has(name)) return
        if (path.length === 0) size = 0
        size += OVERHEAD + name.length + sizeOf(attributes)
        if (size > limits.importRowBytes || skipped > 0) {
          skipped++
          path[0]!.isCut = true
          return
        }
        const namespace = namespaces.of(prefix)
        const node: OpenNode = {
          ...{ name, namespace, attributes, line, children: [], text: '', isCut: false },
        }
        path.at(-1)?.children.push(node)
        path.push(node)
      },
      text(text) {
        const node = path.at(-1)
        if (!node || skipped > 0) return
        size += text.length
        if (size > limits.importRowBytes) path[0]!.isCut = true
        else node.text += text
      },
      close() {
        depth--
        namespaces.close()
        if (skipped > 0) {
          skipped--
          return
        }
        const node = path.pop()
        if (node && path.length === 0) emit(node)
      },
    }
  }
}

/** The first child with one of these names. */
export const childOf = (node: XmlNode | undefined, ...names: readonly string[]) =>
  node?.children.find(({ name }) => names.includes(name))

export const childrenOf = (node: XmlNode | undefined, ...names: readonly string[]): XmlNode[] =>
  node?.children.filter(({ name }) => names.includes(name)) ?? []

/** The trimmed text of the first such child that has any. */
export function childText(node: XmlNode | undefined, ...names: readonly string[]): string {
  for (const child of childrenOf(node, ...names)) {
    const text = child.text.trim()
    if (text !== '') return text
  }
  return ''
}
