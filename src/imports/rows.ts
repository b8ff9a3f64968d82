import { isUtf8 } from 'node:buffer'
import { openCells } from './cell-rows.ts'
import { BATCH, type ImportRows, type OpenedRows } from './import-rows.ts'
import { Damaged } from './reading/damaged.ts'
import { toUtf8 } from './reading/encoding.ts'
import { jsonlRows } from './reading/jsonl.ts'
import { inBatches } from './reading/raw-row.ts'
import type { Survey } from './reading/survey.ts'
import type { Source } from './reading/unpack.ts'
import { BadRow } from './rows/csv-row.ts'
import { jsonRow } from './rows/json-line.ts'
import type { ImportSettings } from './settings.ts'

/** Opens the rows of a surveyed file. Throws Invalid when its columns cannot be told. */
export async function openRows(
  source: Source,
  survey: Survey,
  settings: ImportSettings,
): Promise<ImportRows> {
  let position = 0
  async function* counted(): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of source.open()) {
        position += chunk.length
        yield chunk
      }
    } catch (error) {
      // The survey has seen it; the task says so in the end.
      if (!(error instanceof Damaged)) throw error
    }
  }
  const text = toUtf8(counted(), survey.encoding)
  const opened =
    settings.fileType === 'jsonl' ? openLines(text) : await openCells(text, survey, settings)
  const read = survey.encoding === 'utf-8-damaged' ? refusing(opened.read) : opened.read
  return {
    ...opened,
    read,
    position: () => position,
    notes: [...encodingNotes(survey), ...opened.notes],
  }
}

const openLines = (text: AsyncIterable<Buffer>): OpenedRows => ({
  batches: inBatches(jsonlRows(text), BATCH),
  read: ({ bytes }) => jsonRow(bytes.toString('utf8')),
  original: ({ bytes }) => bytes.toString('utf8').trim(),
  headings: [],
  notes: [],
})

function encodingNotes({ encoding }: Survey): string[] {
  if (encoding === 'utf-8') return []
  if (encoding !== 'utf-8-damaged') return [`Read as ${encoding}.`]
  return ['Read as utf-8, though some bytes of it are not.']
}

/** In a damaged file only the rows that are damaged are refused. */
const refusing =
  (read: ImportRows['read']): ImportRows['read'] =>
  (row) => {
    if (!isUtf8(row.bytes)) throw new BadRow('not valid UTF-8')
    return read(row)
  }
