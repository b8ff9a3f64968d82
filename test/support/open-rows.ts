import { storedBuffer } from '../../src/formats/bytes/stored-bytes.ts'
import type { Format, ReadingSettings } from '../../src/formats/format.ts'
import { BadRow } from '../../src/formats/rows/mapped-row.ts'
import type { RowChange } from '../../src/formats/rows/row-change.ts'
import { PASSED_OVER } from '../../src/formats/rows/row-shape.ts'

/** Reads a file: for each row that is not skipped its change, or the reason why it has none. */
export async function openRows(
  format: Format,
  content: string | Uint8Array,
  more: Partial<ReadingSettings> = {},
) {
  const settings: ReadingSettings = {
    ...{ delimiter: format.delimiter ?? null, quote: '"', header: true, entry: null, sheet: null },
    ...{ columns: null, unmapped: null, vendor: 'V', ...more },
  }
  const options = { now: new Date('2026-11-23') }
  const file = await format.open(storedBuffer(Buffer.from(content)), settings, options)
  const changes: RowChange[] = []
  const refused: [line: number, reason: string][] = []
  for await (const batch of file.batches) {
    for (const row of batch) {
      try {
        if (row.problem !== undefined) throw new BadRow(row.problem)
        changes.push(file.read(row))
      } catch (error) {
        if (error instanceof BadRow) refused.push([row.line, error.message])
        else if (error !== PASSED_OVER) throw error
      }
    }
  }
  await file.close()
  return { file, changes, refused, warnings: file.columns?.warnings }
}
