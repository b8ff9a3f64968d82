import { Invalid } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { detachedText } from '../../text.ts'
import type { FileRows, ReadingSettings } from '../format.ts'
import type { RawRow } from '../rows/raw-row.ts'
import { openCells, rowOfCells } from '../rows/table.ts'
import type { TextFile } from '../text/open-text.ts'
import { readXml } from '../text/xml.ts'
import { createTrees, type XmlNode } from '../text/xml-trees.ts'
import { cellsOf, fieldsOf, NAMESPACE } from './item.ts'

/** RSS 2.0 and Atom. */
const ITEMS: ReadonlySet<string> = new Set(['item', 'entry'])
/** Number of characters that contain the first elements of a file. */
export const HEAD = 4_096

/** Whether the beginning of an XML file is that of a product feed. */
export const isFeed = (head: string): boolean => {
  const beginning = head.slice(0, HEAD)
  return /<(?:rss|feed|channel)[\s>]/.test(beginning) && beginning.includes(NAMESPACE)
}

/** The items as rows of a table, like those of the same feed in tsv. Throws Invalid. */
export async function feedRows(file: TextFile, settings: ReadingSettings): Promise<FileRows> {
  const names = await namesIn(file)
  return openCells(itemRows(file, names), { ...settings, header: true }, file.today)
}

/** The names of elements in items, in order of appearance. Throws Invalid if there are too many. */
async function namesIn(file: TextFile): Promise<readonly string[]> {
  const names = new Set<string>()
  for await (const nodes of readXml(file.read(), createTrees(ITEMS), file)) {
    for (const item of nodes) {
      // A copy, as the name would keep the file around it in memory.
      for (const { name } of fieldsOf(item)) if (!names.has(name)) names.add(detachedText(name))
      if (names.size > limits.importColumns) {
        throw new Invalid(`The items have more than ${limits.importColumns} different elements.`)
      }
    }
  }
  return [...names]
}

async function* itemRows(
  file: TextFile,
  names: readonly string[],
): AsyncGenerator<readonly RawRow[]> {
  yield [{ line: 0, text: JSON.stringify(names) }]
  for await (const nodes of readXml(file.read(), createTrees(ITEMS), file)) {
    yield nodes.flatMap((node) => rowOf(node, names) ?? [])
  }
}

function rowOf(node: XmlNode, names: readonly string[]): RawRow | undefined {
  const { line } = node
  if (node.isCut) {
    return { line, text: '[]', problem: `the item is larger than ${limits.importRowBytes} bytes` }
  }
  const cells = cellsOf(node, names)
  return rowOfCells(
    line,
    cells,
    cells.reduce((sum, { length }) => sum + length, 0),
  )
}
