import { headOf } from '../bytes/stored-bytes.ts'
import { isZip } from '../bytes/zip.ts'
import type { Format } from '../format.ts'
import { openCells } from '../rows/table.ts'
import { encodingOfXml } from '../text/declared-encoding.ts'
import { openText } from '../text/open-text.ts'
import { readXml } from '../text/xml.ts'
import { createSheetReader } from './sheet.ts'
import { isWorkbook, openSheet } from './workbook.ts'

/** A sheet of an Excel workbook. */
export const xlsx: Format = {
  type: 'xlsx',
  endings: ['xlsx', 'xlsm'],
  rejectsAs: 'csv',
  recognises: async (file) => isZip(await headOf(file, 4)) && isWorkbook(file),
  async open(file, settings, options) {
    const { xml, parts } = await openSheet(file, settings, options)
    return openText(
      xml,
      {
        declares: encodingOfXml,
        rows: (text, reading) =>
          openCells(
            readXml(text.read(), createSheetReader(parts), { isCut: true }),
            reading,
            text.today,
          ),
      },
      { settings, options },
    )
  },
}
