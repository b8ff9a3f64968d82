import { Invalid } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { Format } from '../format.ts'
import { feedRows, isFeed } from '../google/feed.ts'
import { type RowValues, valuesRow } from '../rows/named-values.ts'
import { inBatches, type RawRow, type RowText } from '../rows/raw-row.ts'
import { encodingOfXml } from '../text/declared-encoding.ts'
import { opensText, type TextFile } from '../text/open-text.ts'
import { readXml } from '../text/xml.ts'
import { createTrees } from '../text/xml-trees.ts'
import { inLanguage } from './language.ts'
import { createOutline, type Outline, PARSED_ELEMENTS, PRODUCTS } from './outline.ts'
import { problemOf, productIdOf, valuesOf } from './product.ts'

/** BMEcat 1.2 and 2005. */
export const bmecat: Format = {
  type: 'bmecat',
  endings: ['xml', 'bmecat'],
  unmapped: 'a BMEcat file has no columns; its elements have a fixed meaning',
  rejectsAs: 'csv',
  open: opensText({
    declares: encodingOfXml,
    async rows(file, settings) {
      // A remote file is recognized by its extension alone, which feeds share.
      if (isFeed(file.head)) return feedRows(file, settings)
      const outline = await outlineOf(file)
      const vendor = settings.vendor ?? outline.supplier
      if (vendor === null)
        throw new Invalid('vendor: required because the header of the file names no supplier')
      return {
        batches: inBatches(productRows(file, outline)),
        read: (row) => valuesRow(valuesIn(row), { vendor, decimal: '.' }),
        original: identityOf,
        headings: ['SUPPLIER_PID', 'DESCRIPTION_SHORT'],
        notes: outline.notes,
        named: namedValues,
      }
    },
  }),
}

/** Reads what a file has besides its products. Throws Invalid. */
async function outlineOf(file: TextFile): Promise<Outline> {
  const outline = createOutline(file.today)
  for await (const nodes of readXml(
    file.read(),
    createTrees(PARSED_ELEMENTS, outline.open),
    file,
  )) {
    for (const node of nodes) outline.see(node)
  }
  return outline.done()
}

const EMPTY = JSON.stringify({ values: [] } satisfies RowValues)

/** The products, each row as JSON of its RowValues. Throws Invalid. */
async function* productRows(file: TextFile, outline: Outline): AsyncGenerator<readonly RawRow[]> {
  const terms = { ...outline, today: file.today }
  for await (const nodes of readXml(file.read(), createTrees(PRODUCTS), file)) {
    yield nodes.map((node): RawRow => {
      const { line } = node
      if (node.isCut) {
        const problem = `the product is larger than ${limits.importRowBytes} bytes`
        return { line, text: EMPTY, problem }
      }
      const id = productIdOf(node)
      const values = valuesOf(inLanguage(node, outline.language), outline.groups.of(id), terms)
      const text = JSON.stringify(values)
      const problem = problemOf(node, terms)
      return problem === undefined ? { line, text } : { line, text, problem }
    })
  }
}

const valuesIn = ({ text }: RowText) => JSON.parse(text) as RowValues

/** The fields by which a user finds the product again. */
function identityOf(row: RowText): readonly string[] {
  const { values } = valuesIn(row)
  const of = (field: string) => values.find(([name]) => name === field)?.[1] ?? ''
  return [of('vendor.vendorPartNumber'), of('name')]
}

function namedValues(row: RowText): [string, string][] {
  const { values, images = [], links = [] } = valuesIn(row)
  return [
    ...values.map(([field, value, name]): [string, string] => [
      name === undefined ? field : `${field} ${name}`,
      value,
    ]),
    ...images.slice(0, 1).map((url): [string, string] => ['images', url]),
    ...links.slice(0, 1).map(([, url]): [string, string] => ['links', url]),
  ]
}
