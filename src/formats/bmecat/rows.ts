import { limits } from '../../limits.ts'
import type { RawRow } from '../rows/raw-row.ts'
import { readXml, type XmlReader } from '../text/xml.ts'
import { inLanguage } from './language.ts'
import { createOutline, type Outline, PRODUCTS, WANTED } from './outline.ts'
import { productIdOf, valuesOf } from './product.ts'
import { createTrees, type XmlNode } from './tree.ts'

export interface BmecatOptions {
  /** `YYYY-MM-DD`: prices that are valid on this day count. */
  readonly today: string
  /** The file may end anywhere. */
  readonly isCut: boolean
  readonly isCancelled: () => boolean
}

/** What a BMEcat file says beside its products; undefined when cancelled. Throws Invalid. */
export async function outlineOf(
  chunks: AsyncIterable<Buffer>,
  { today, isCut, isCancelled }: BmecatOptions,
): Promise<Outline | undefined> {
  const outline = createOutline(today)
  for await (const nodes of readXml(chunks, createTrees(WANTED, outline.open), { isCut })) {
    for (const node of nodes) outline.see(node)
    if (isCancelled()) return undefined
  }
  return outline.done()
}

/** The products of a BMEcat file, each row as JSON of its RowValues. Throws Invalid. */
export async function* bmecatRows(
  chunks: AsyncIterable<Buffer>,
  outline: Outline,
  { today, isCut }: BmecatOptions,
): AsyncGenerator<readonly RawRow[]> {
  const trees: XmlReader<XmlNode> = createTrees(PRODUCTS)
  const terms = { ...outline, today }
  for await (const nodes of readXml(chunks, trees, { isCut })) {
    yield nodes.map((node): RawRow => {
      const { line } = node
      const id = productIdOf(node)
      const text = JSON.stringify(
        valuesOf(inLanguage(node, outline.language), outline.groups.of(id), terms),
      )
      if (node.isCut) {
        return {
          line,
          text: EMPTY,
          problem: `a product of more than ${limits.importRowBytes} bytes`,
        }
      }
      if (id === '') return { line, text, problem: 'no SUPPLIER_AID or SUPPLIER_PID' }
      return { line, text }
    })
  }
}

const EMPTY = JSON.stringify({ values: [] })
