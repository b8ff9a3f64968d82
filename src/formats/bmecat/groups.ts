import { Invalid } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { cut, detachedText } from '../../text.ts'
import { childText, type XmlNode } from '../text/xml-trees.ts'
import { createNumberTable } from './number-table.ts'

/** Names of the groups of a product, the top one first. */
export type GroupPath = readonly string[]

interface CatalogGroup {
  readonly name: string
  readonly parent: string
  readonly isRoot: boolean
}

const DEEPEST = 20

/** A copy that does not keep the chunk of the file in memory, cut to the length of any field. */
const short = (text: string, length: number): string => detachedText(text.slice(0, length))

const idIn = (node: XmlNode, name: string): string => short(childText(node, name), limits.idLength)

/** The groups of a catalog, and the products in them, up to `most`. */
export function createCatalogGroups(most: number = limits.groupedProducts) {
  const groups = new Map<string, CatalogGroup>()
  const numbers = new Map<string, number>()
  const ids: string[] = []
  const products = createNumberTable()
  const paths = new Map<string, GroupPath>()

  function numberOf(id: string): number {
    const known = numbers.get(id)
    if (known !== undefined) return known
    if (ids.length >= limits.catalogGroups) {
      throw new Invalid(`The file has more than ${limits.catalogGroups} catalog groups.`)
    }
    numbers.set(id, ids.length)
    return ids.push(id) - 1
  }

  function pathOf(id: string): GroupPath {
    const names: string[] = []
    for (let at: string | undefined = id; at !== undefined && names.length < DEEPEST; ) {
      const group: CatalogGroup | undefined = groups.get(at)
      if (group && !group.isRoot) names.unshift(group.name)
      at = group && !group.isRoot ? group.parent : undefined
    }
    return names
  }

  return {
    /** Adds a CATALOG_STRUCTURE. Throws Invalid beyond limits.catalogGroups. */
    addGroup(node: XmlNode): void {
      const id = idIn(node, 'GROUP_ID')
      numberOf(id)
      groups.set(id, {
        name: detachedText(cut(childText(node, 'GROUP_NAME'), limits.nameLength)) || id,
        parent: idIn(node, 'PARENT_ID'),
        isRoot: node.attributes.type === 'root',
      })
    },
    /**
     * Adds the mapping of a product to a group. Only the first one of a product counts. Throws
     * Invalid beyond `most` products.
     */
    addProduct(node: XmlNode): void {
      const product = childText(node, 'ART_ID', 'PROD_ID', 'SUPPLIER_AID', 'SUPPLIER_PID')
      const group = idIn(node, 'CATALOG_GROUP_ID')
      if (product === '' || group === '') return
      products.add(product, numberOf(group))
      if (products.size > most) {
        throw new Invalid(`The file has more than ${most} products in catalog groups.`)
      }
    },
    /** The path of a product; empty when it is in no group. */
    of(productId: string): GroupPath {
      const number = products.get(productId)
      if (number === undefined) return []
      const id = ids[number]!
      const path = paths.get(id) ?? pathOf(id)
      paths.set(id, path)
      return path
    },
  }
}
