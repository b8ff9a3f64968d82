import { Invalid } from '../../errors.ts'
import { withoutFirst } from '../bytes/unpack.ts'
import { cellsIn } from '../csv/cells.ts'
import { csvRows } from '../csv/rows.ts'
import type { Format } from '../format.ts'
import { BadRow } from '../rows/mapped-row.ts'
import { valuesRow } from '../rows/named-values.ts'
import { inBatches, type RawRow, type RowText } from '../rows/raw-row.ts'
import { opensText, type TextFile } from '../text/open-text.ts'
import { type CifHeader, cifHeader, END_OF_DATA } from './header.ts'
import { cifValues, commonCurrency, keyOf, unusedFields } from './row.ts'

const DIALECT = { delimiter: ',', quote: '"' }

/** CIF 3.0. */
export const cif: Format = {
  type: 'cif',
  endings: ['cif'],
  unmapped: 'a CIF file has no columns to map; its fields have a fixed meaning',
  rejectsAs: 'csv',
  open: opensText({
    declares: (head) => cifHeader(head).charset,
    async rows(file, { vendor }) {
      const header = cifHeader(file.head)
      const { fields } = header
      const hasSupplier = fields.some((field) => /^supplier\s*id$/i.test(field))
      if (vendor === null && !hasSupplier) {
        throw new Invalid('vendor: required because the file has no field Supplier ID')
      }
      const cellsOf = ({ text }: RowText) => cellsIn(text, DIALECT)
      const keys = fields.map(keyOf)
      const currency = header.currency ?? (await currencyOf(file, header, keys))
      const terms = { keys, currency, today: file.today }
      return {
        batches: inBatches(dataRows(file, header)),
        read(row) {
          const cells = cellsOf(row)
          if (cells.length !== fields.length) {
            throw new BadRow(`${cells.length} values instead of the ${fields.length} in FIELDNAMES`)
          }
          const found = cifValues(cells, terms)
          const values = found.values.filter(
            ([field]) => vendor === null || field !== 'vendor.vendorName',
          )
          return valuesRow({ ...found, values }, { vendor, decimal: '.' })
        },
        original: cellsOf,
        headings: fields,
        notes: await notesOf(file, header),
      }
    },
  }),
}

/** The rows between DATA and ENDOFDATA; returns whether the latter was found. */
async function* dataRows(
  file: TextFile,
  { skip, line }: CifHeader,
): AsyncGenerator<readonly RawRow[], boolean> {
  for await (const rows of csvRows(withoutFirst(file.read(), skip), DIALECT, line)) {
    const end = rows.findIndex(({ text }) => text.trim().toUpperCase() === END_OF_DATA)
    yield end === -1 ? rows : rows.slice(0, end)
    if (end !== -1) return true
  }
  return false
}

/** Number of rows that decide the currency of a file whose header names none. */
const SAMPLE = 500

async function currencyOf(
  file: TextFile,
  header: CifHeader,
  keys: readonly string[],
): Promise<string | null> {
  if (!keys.includes('currency')) return null
  const sample: string[][] = []
  for await (const rows of dataRows(file, header)) {
    for (const { text } of rows.slice(0, SAMPLE - sample.length))
      sample.push(cellsIn(text, DIALECT))
    if (sample.length >= SAMPLE) break
  }
  return commonCurrency(sample, keys)
}

async function notesOf(file: TextFile, header: CifHeader): Promise<string[]> {
  const unused = unusedFields(header.fields)
  const notes = unused.length > 0 ? [`Unused fields: ${unused.join(', ').slice(0, 300)}.`] : []
  if (file.isCut) return notes
  let count = 0
  const rows = dataRows(file, header)
  let part = await rows.next()
  for (; !part.done; part = await rows.next()) {
    count += part.value.length
  }
  const { itemCount } = header
  if (!part.value) notes.push('ENDOFDATA is missing, so the file may be cut off.')
  if (itemCount === null || count === itemCount) return notes
  return [...notes, `ITEMCOUNT is ${itemCount}, but the file has ${count} rows.`]
}
