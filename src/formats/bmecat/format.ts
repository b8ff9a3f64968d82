import { Invalid } from '../../errors.ts'
import type { ReadingSettings } from '../../imports/settings.ts'
import { Interrupted } from '../../tasks/patience.ts'
import { BATCH, type OpenedRows } from '../format.ts'
import { type RowValues, valuesRow } from '../rows/named-values.ts'
import { inBatches, type RowText } from '../rows/raw-row.ts'
import { type BmecatOptions, bmecatRows, outlineOf } from './rows.ts'

/** Opens the products of a BMEcat file (1.2 or 2005) in UTF-8. Throws Invalid. */
export async function openBmecat(
  open: (isCounted?: boolean) => AsyncIterable<Buffer>,
  settings: ReadingSettings,
  options: BmecatOptions,
): Promise<OpenedRows> {
  const outline = await outlineOf(open(), options)
  if (!outline) throw new Interrupted()
  const vendor = settings.vendor ?? outline.supplier
  if (vendor === null)
    throw new Invalid('vendor: required; the file names no supplier in its header')
  return {
    batches: inBatches(bmecatRows(open(true), outline, options), BATCH),
    read: ({ text }) => valuesRow(JSON.parse(text) as RowValues, vendor),
    original: ({ text }) => shown(text),
    headings: ['SUPPLIER_PID', 'DESCRIPTION_SHORT'],
    notes: outline.notes,
  }
}

/** Enough of a product to find it again. */
function shown(text: RowText['text']): readonly string[] {
  const { values } = JSON.parse(text) as RowValues
  const of = (field: string) => values.find(([name]) => name === field)?.[1] ?? ''
  return [of('vendor.vendorPartNumber'), of('name')]
}
