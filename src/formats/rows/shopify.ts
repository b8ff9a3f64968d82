import { limits } from '../../limits.ts'
import { cut } from '../../text.ts'
import type { ColumnTally } from '../format.ts'
import { htmlAsText } from './html-text.ts'
import { BadRow } from './mapped-row.ts'
import type { FieldValue, RowValues } from './named-values.ts'
import { inBatches, type RawRow, type RowText } from './raw-row.ts'

/** Columns that every products file of Shopify has. */
const NEEDED = ['Handle', 'Title', 'Option1 Name', 'Option1 Value', 'Variant Price']

const FIELDS: Readonly<Record<string, string>> = {
  Title: 'name',
  'Body (HTML)': 'description',
  Vendor: 'manufacturer',
  'Variant SKU': 'id',
  'Variant Barcode': 'upcs',
  'Variant Price': 'vendor.cost',
  'Variant Compare At Price': 'msrp',
  'Variant Inventory Qty': 'vendor.onHand',
}
/** What the rows of variants and pictures leave to the first row of their handle is all but this. */
const OWN = /^(?:Variant |Option\d |Image |Cost per item)/
// What a product costs the shop is nobody else's business.
const CONSUMED =
  /^(?:Cost per item|Handle|Type|Product Category|Option\d (?:Name|Value)|Image (?:Src|Position)|Variant Image)$/
const OPTIONS = [1, 2, 3]
/** Rows of a handle, and their characters, that are put together; pictures of later ones are not seen. */
const TOGETHER = { rows: 5_000, length: 8 * 1024 * 1024 }
const BODY = 'Body (HTML)'
/** Characters of a description beyond which not all of it is carried to every variant. */
const HTML = 32 * 1024

export const isShopify = (headings: readonly string[]): boolean =>
  NEEDED.every((name) => headings.includes(name))

interface Line {
  readonly line: number
  readonly cells: readonly string[]
}

/** A row of a variant as text: its cells, and the values of the product that it becomes. */
interface VariantText {
  readonly cells: readonly string[]
  readonly values: RowValues
}

const textOf = (row: VariantText): string => JSON.stringify(row)
export const variantOf = ({ text }: RowText): VariantText => JSON.parse(text) as VariantText

/** The headings of a file, and those of them that become attributes. */
export interface ShopifyColumns {
  readonly headings: readonly string[]
  readonly attributes: ReadonlySet<string>
}

/** Headings that fill no field. */
export const spareHeadings = (headings: readonly string[]): string[] =>
  headings.filter((name) => name !== '' && !FIELDS[name] && !CONSUMED.test(name))

interface ReadCells {
  cellsOf(row: RawRow): readonly string[]
  /** The same cells; throws BadRow when they are not what the headings say. */
  shaped(row: RawRow, cells: readonly string[]): readonly string[]
}

/** The rows of each handle put together: one for each variant, with the pictures of all. */
export const shopifyRows = (
  columns: ShopifyColumns,
  batches: AsyncIterable<readonly RawRow[]>,
  read: ReadCells,
): AsyncGenerator<readonly RawRow[]> => inBatches(variantsIn(columns, batches, read))

async function* variantsIn(
  columns: ShopifyColumns,
  batches: AsyncIterable<readonly RawRow[]>,
  { cellsOf, shaped }: ReadCells,
): AsyncGenerator<readonly RawRow[]> {
  const handleAt = columns.headings.lastIndexOf('Handle')
  const handleOf = ({ cells }: Line) => cells[handleAt]?.trim()
  let waiting: Line[] = []
  let length = 0
  for await (const batch of batches) {
    for (const row of batch) {
      const cells = cellsOf(row)
      const problem = row.problem ?? problemOf(() => shaped(row, cells))
      if (problem !== undefined) {
        yield [unreadable(row, problem, cells)]
        continue
      }
      const line = { line: row.line, cells }
      const isSame = waiting[0] !== undefined && handleOf(waiting[0]) === handleOf(line)
      if (!isSame || waiting.length >= TOGETHER.rows || length >= TOGETHER.length) {
        // One at a time: thousands may each carry what the first says.
        for (const variant of variantRows(columns, waiting)) yield [variant]
        waiting = []
        length = 0
      }
      waiting.push(line)
      length += row.size ?? row.text.length
    }
  }
  for (const variant of variantRows(columns, waiting)) yield [variant]
}

function problemOf(check: () => unknown): string | undefined {
  try {
    check()
    return undefined
  } catch (error) {
    if (error instanceof BadRow) return error.message
    throw error
  }
}

/** In the shape of the others, so that its cells can be listed. */
const unreadable = ({ line }: RawRow, problem: string, cells: readonly string[]): RawRow => ({
  line,
  problem,
  text: textOf({ cells, values: { values: [] } }),
})

type Said = Readonly<Record<string, string>>

function saidOf(headings: readonly string[], { cells }: Line): Said {
  const said = Object.fromEntries(headings.map((name, at) => [name, cells[at]?.trim() ?? '']))
  const html = said[BODY]
  return html && html.length > HTML
    ? { ...said, [BODY]: cut(htmlAsText(html), limits.valueLength) }
    : said
}

const isVariant = (said: Said): boolean =>
  ['Option1 Value', 'Variant SKU', 'Variant Price'].some((name) => said[name])

function* variantRows(columns: ShopifyColumns, lines: readonly Line[]): Generator<RawRow> {
  const { headings } = columns
  if (!lines[0]) return
  const first = saidOf(headings, lines[0])
  const pictureAt = headings.lastIndexOf('Image Src')
  const pictures = [...new Set(lines.map(({ cells }) => cells[pictureAt]?.trim() ?? ''))].filter(
    (url) => url !== '' && url.length <= limits.valueLength,
  )
  let isAlone = true
  for (const line of lines) {
    const said = line === lines[0] ? first : saidOf(headings, line)
    if (!isVariant(said)) continue
    isAlone = false
    yield variantRow(columns, { line, said, first, pictures })
  }
  // A handle without a variant is a product all the same.
  if (isAlone) yield variantRow(columns, { line: lines[0], said: first, first, pictures })
}

interface Variant {
  readonly line: Line
  readonly said: Said
  readonly first: Said
  readonly pictures: readonly string[]
}

function variantRow(columns: ShopifyColumns, { line, said, first, pictures }: Variant): RawRow {
  const carried = Object.fromEntries(
    columns.headings.map((name) => [name, said[name] || (OWN.test(name) ? '' : first[name]) || '']),
  )
  const values = valuesOf(columns, carried, { names: first, pictures })
  return { line: line.line, text: textOf({ cells: line.cells, values }) }
}

interface Shared {
  /** The row that names the options. */
  readonly names: Readonly<Record<string, string>>
  readonly pictures: readonly string[]
}

function valuesOf(
  { headings, attributes }: ShopifyColumns,
  said: Readonly<Record<string, string>>,
  { names, pictures }: Shared,
): RowValues {
  const options = OPTIONS.flatMap((n): [string, string][] => {
    const name = names[`Option${n} Name`]
    const value = said[`Option${n} Value`]
    // A product that has no variants has this one.
    return name && value && value !== 'Default Title' ? [[name, value]] : []
  })
  const handle = said.Handle ?? ''
  const id = said['Variant SKU'] || [handle, ...options.map(([, value]) => value)].join('-')
  const own = said['Variant Image']
  const image = own || pictures[0] || ''
  const category = said['Product Category'] || said.Type || ''
  const values: FieldValue[] = [
    ['id', cut(id, limits.idLength)],
    ...pairs(options.length > 0 ? { groupId: handle, category, image } : { category, image }),
    ...options.map(([name, value]): FieldValue => ['option', value, name]),
    ...headings.flatMap((name): FieldValue[] => {
      const value = said[name] ?? ''
      const field = FIELDS[name]
      if (value === '' || name === 'Variant SKU' || CONSUMED.test(name)) return []
      if (field !== undefined) return [[field, value]]
      if (!attributes.has(name)) return []
      return [['attribute', cut(value, limits.valueLength), cut(name, limits.nameLength)]]
    }),
  ]
  const images = pictures.filter((url) => url !== image).slice(0, limits.productListEntries)
  return images.length > 0 ? { values, images } : { values }
}

const pairs = (values: Readonly<Record<string, string>>): FieldValue[] =>
  Object.entries(values).flatMap(([field, text]) => (text === '' ? [] : [[field, text]]))

/** Whether a row names a product that the shop does not show. */
export function isHidden(headings: readonly string[], cells: readonly string[]): boolean {
  const said = (name: string) => cells[headings.lastIndexOf(name)]?.trim().toLowerCase() ?? ''
  return ['draft', 'archived'].includes(said('Status')) || said('Published') === 'false'
}

/** What the columns of such a file fill, as a mapping says it. */
export function shopifyUses({ headings, attributes }: ShopifyColumns): ColumnTally['uses'] {
  return headings.map((heading, column) => {
    const field = FIELDS[heading] ?? SPECIAL[heading]
    const isOption = /^Option\d (?:Name|Value)$/.test(heading)
    if (isOption) return { column, heading, field: 'option', attribute: null }
    if (field) return { column, heading, field, attribute: null }
    const isUsed = attributes.has(heading)
    return {
      column,
      heading,
      field: isUsed ? 'attribute' : null,
      attribute: isUsed ? heading : null,
    }
  })
}

const SPECIAL: Readonly<Record<string, string>> = {
  Handle: 'groupId',
  'Product Category': 'category',
  Type: 'category',
  'Image Src': 'images',
  'Variant Image': 'image',
}
