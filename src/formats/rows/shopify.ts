import { limits } from '../../limits.ts'
import { cut } from '../../text.ts'
import type { ColumnTally } from '../format.ts'
import type { FieldValue, RowValues } from './named-values.ts'
import type { RawRow, RowText } from './raw-row.ts'

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
const CONSUMED =
  /^(?:Handle|Type|Product Category|Option\d (?:Name|Value)|Image (?:Src|Position)|Variant Image)$/
const OPTIONS = [1, 2, 3]
/** Rows of one handle that are put together; pictures of later ones are not seen by earlier ones. */
const TOGETHER = 5_000

export const isShopify = (headings: readonly string[]): boolean =>
  NEEDED.every((name) => headings.includes(name))

interface Line {
  readonly row: RawRow
  readonly cells: readonly string[]
  readonly said: Readonly<Record<string, string>>
}

/** A row of a variant as text: its cells, and the values of the product that it becomes. */
interface VariantText {
  readonly cells: readonly string[]
  readonly values: RowValues
}

const textOf = (row: VariantText): string => JSON.stringify(row)
export const variantOf = ({ text }: RowText): VariantText => JSON.parse(text) as VariantText

/** The rows of each handle put together: one for each variant, with the pictures of all. */
export async function* shopifyRows(
  headings: readonly string[],
  batches: AsyncIterable<readonly RawRow[]>,
  cellsOf: (row: RawRow) => readonly string[],
): AsyncGenerator<readonly RawRow[]> {
  let waiting: Line[] = []
  for await (const batch of batches) {
    const done: RawRow[] = []
    for (const row of batch) {
      if (row.problem !== undefined) {
        done.push(unreadable(row, row.problem, cellsOf(row)))
        continue
      }
      const cells = cellsOf(row)
      const said = Object.fromEntries(headings.map((name, at) => [name, cells[at]?.trim() ?? '']))
      const isSame = waiting[0]?.said.Handle === said.Handle && waiting.length < TOGETHER
      if (!isSame) {
        done.push(...variantRows(headings, waiting))
        waiting = []
      }
      waiting.push({ row, cells, said })
    }
    yield done
  }
  yield variantRows(headings, waiting)
}

/** In the shape of the others, so that its cells can be listed. */
const unreadable = ({ line }: RawRow, problem: string, cells: readonly string[]): RawRow => ({
  line,
  problem,
  text: textOf({ cells, values: { values: [] } }),
})

const isVariant = ({ said }: Line): boolean =>
  ['Option1 Value', 'Variant SKU', 'Variant Price'].some((name) => said[name])

function variantRows(headings: readonly string[], lines: readonly Line[]): RawRow[] {
  const [first] = lines
  if (!first) return []
  const pictures = [...new Set(lines.flatMap(({ said }) => said['Image Src'] || []))]
  // A handle without a variant is a product all the same.
  const variants = lines.filter(isVariant)
  return (variants.length > 0 ? variants : [first]).map(({ row, cells, said }) => {
    const carried = Object.fromEntries(
      headings.map((name) => [name, said[name] || (OWN.test(name) ? '' : first.said[name]) || '']),
    )
    const values = valuesOf(headings, carried, { names: first.said, pictures })
    return { line: row.line, text: textOf({ cells, values }) }
  })
}

interface Shared {
  /** The row that names the options. */
  readonly names: Readonly<Record<string, string>>
  readonly pictures: readonly string[]
}

function valuesOf(
  headings: readonly string[],
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
      return [['attribute', cut(value, limits.valueLength), cut(name, limits.nameLength)]]
    }),
  ]
  const images = pictures.filter((url) => url !== image).slice(0, limits.productListEntries)
  return images.length > 0 ? { values, images } : { values }
}

const pairs = (values: Readonly<Record<string, string>>): FieldValue[] =>
  Object.entries(values).flatMap(([field, text]) => (text === '' ? [] : [[field, text]]))

/** What the columns of such a file fill, as a mapping says it. */
export function shopifyUses(headings: readonly string[]): ColumnTally['uses'] {
  return headings.map((heading, column) => {
    const field = FIELDS[heading] ?? SPECIAL[heading]
    const isOption = /^Option\d (?:Name|Value)$/.test(heading)
    if (isOption) return { column, heading, field: 'option', attribute: null }
    if (field) return { column, heading, field, attribute: null }
    const isUsed = !CONSUMED.test(heading)
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
