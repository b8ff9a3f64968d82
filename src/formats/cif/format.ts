import { Invalid } from '../../errors.ts'
import { behind } from '../../imports/reading/behind.ts'
import type { ReadingSettings } from '../../imports/settings.ts'
import { Interrupted } from '../../tasks/patience.ts'
import { cellsIn } from '../csv/cells.ts'
import { csvRows } from '../csv/rows.ts'
import { BATCH, type OpenedRows } from '../format.ts'
import { BadRow } from '../rows/mapped-row.ts'
import { valuesRow } from '../rows/named-values.ts'
import { inBatches, type RawRow, type RowText } from '../rows/raw-row.ts'
import { type CifHeader, cifHeader, END_OF_DATA } from './header.ts'
import { cifValues, unusedFields } from './row.ts'

const DIALECT = { delimiter: ',', quote: '"' }

export interface CifOptions {
  readonly head: string
  readonly today: string
  readonly isCut: boolean
  readonly isCancelled: () => boolean
}

/** Opens the rows of a CIF 3.0 file in UTF-8. Throws Invalid. */
export async function openCif(
  open: (isCounted?: boolean) => AsyncIterable<Buffer>,
  settings: ReadingSettings,
  options: CifOptions,
): Promise<OpenedRows> {
  const header = cifHeader(options.head)
  const { fields } = header
  const hasSupplier = fields.some((field) => /^supplier\s*id$/i.test(field))
  if (settings.vendor === null && !hasSupplier) {
    throw new Invalid('vendor: required; the file has no field Supplier ID')
  }
  const cellsOf = ({ text }: RowText) => cellsIn(text, DIALECT)
  const terms = { fields, currency: header.currency, today: options.today }
  const own = settings.vendor
  return {
    batches: inBatches(cifRows(open(true), header), BATCH),
    read(row) {
      const cells = cellsOf(row)
      if (cells.length !== fields.length) {
        throw new BadRow(`${cells.length} values, FIELDNAMES has ${fields.length}`)
      }
      const found = cifValues(cells, terms)
      const values = found.values.filter(([field]) => own === null || field !== 'vendor.vendorName')
      return valuesRow({ ...found, values }, own)
    },
    original: cellsOf,
    headings: fields,
    notes: await notesOf(open(), header, options),
  }
}

/** The rows between DATA and ENDOFDATA. */
async function* cifRows(
  chunks: AsyncIterable<Buffer>,
  { skip, line }: CifHeader,
): AsyncGenerator<readonly RawRow[]> {
  for await (const rows of csvRows(behind(chunks, skip), DIALECT, line)) {
    const end = rows.findIndex(({ text }) => text.trim().toUpperCase() === END_OF_DATA)
    yield end === -1 ? rows : rows.slice(0, end)
    if (end !== -1) return
  }
}

async function notesOf(
  chunks: AsyncIterable<Buffer>,
  header: CifHeader,
  { isCut, isCancelled }: CifOptions,
): Promise<string[]> {
  const unused = unusedFields(header.fields)
  const notes = unused.length > 0 ? [`Fields not used: ${unused.join(', ').slice(0, 300)}.`] : []
  if (header.itemCount === null || isCut) return notes
  let count = 0
  for await (const rows of cifRows(chunks, header)) {
    count += rows.length
    if (isCancelled()) throw new Interrupted()
  }
  if (count === header.itemCount) return notes
  return [...notes, `ITEMCOUNT is ${header.itemCount}, but there are ${count} rows.`]
}
