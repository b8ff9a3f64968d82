import type { Checkpoint, ToFile } from '../../exports/job.ts'
import type { ProductView } from '../../products/view.ts'
import { jsonLine } from '../jsonl/format.ts'
import { columnsOf } from './product-columns.ts'
import { csvHeader, csvRows } from './write.ts'

/** How a file is written: its first bytes, and those of each product. */
export interface FileFormat {
  readonly head: string
  readonly write: (product: ProductView) => string
}

const MARK = '\ufeff'

/** Pure. */
export function fileFormat(to: ToFile, headings: Checkpoint['headings']): FileFormat {
  if (to.format === 'jsonl') return { head: '', write: jsonLine }
  const { delimiter, byteOrderMark } = to.csv
  const csv = { columns: columnsOf(headings), delimiter }
  return {
    head: `${byteOrderMark ? MARK : ''}${csvHeader(csv)}`,
    write: (product) => csvRows(product, csv),
  }
}
