import { withoutFirst } from '../bytes/unpack.ts'
import type { Format } from '../format.ts'
import { openTable } from '../rows/table.ts'
import { opensText } from '../text/open-text.ts'
import { cellsIn } from './cells.ts'
import { declaredDelimiter, detectDelimiter, dividing } from './delimiter.ts'
import { csvRows } from './rows.ts'
import { csvWriter } from './writer.ts'

/** Cells between delimiters, quoted if necessary. */
export const csv: Format = {
  type: 'csv',
  endings: ['csv', 'txt'],
  rejectsAs: 'csv',
  open: opensText({
    rows(file, settings) {
      const { quote } = settings
      const declared = declaredDelimiter(file.head)
      const first = detectDelimiter(file.head, quote)
      // Tasks of earlier versions continue as they began.
      const likely = settings.unmapped === undefined ? first : dividing(file.head, first, quote)
      const found = declared?.delimiter ?? likely
      const dialect = { delimiter: settings.delimiter ?? found, quote }
      const rows = () =>
        declared
          ? csvRows(withoutFirst(file.read(), declared.bytes), dialect, 2)
          : csvRows(file.read(), dialect)
      return openTable(
        {
          rows,
          cellsOf: ({ text }) => cellsIn(text, dialect),
          widthOf: ([first = []]) => first.length,
          delimiter: dialect.delimiter,
          today: file.today,
        },
        settings,
      )
    },
  }),
  writer: csvWriter,
}
