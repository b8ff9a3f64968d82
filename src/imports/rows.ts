import { openCells } from './cell-rows.ts'
import { BATCH, type ImportRows, type OpenedRows } from './import-rows.ts'
import { Damaged } from './reading/damaged.ts'
import { toUtf8 } from './reading/encoding.ts'
import { jsonlRows } from './reading/jsonl.ts'
import { inBatches, type RawRow } from './reading/raw-row.ts'
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
  let end: Buffer = Buffer.alloc(0)
  async function* counted(): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of source.open()) {
        position += chunk.length
        if (chunk.length > 0) end = chunk.subarray(-2)
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
  return {
    ...opened,
    batches: survey.damaged
      ? doubtingTheLast(opened.batches, () => !/[\r\n]\0?$/.test(end.toString('latin1')))
      : opened.batches,
    read: refusing(opened.read, survey.encoding),
    position: () => position,
    notes: [...encodingNotes(survey), ...opened.notes],
  }
}

const openLines = (text: AsyncIterable<Buffer>): OpenedRows => ({
  batches: inBatches(jsonlRows(text), BATCH),
  read: ({ text }) => jsonRow(text),
  original: ({ text }) => text.trim(),
  headings: [],
  notes: [],
})

function encodingNotes({ encoding }: Survey): string[] {
  if (encoding === 'utf-8') return []
  if (encoding !== 'utf-8-damaged') return [`Read as ${encoding}.`]
  return ['Read as utf-8, though some bytes of it are not.']
}

/** Where an archive breaks off inside a row, that row is not what its author wrote. */
async function* doubtingTheLast(
  batches: AsyncIterable<readonly RawRow[]>,
  isCut: () => boolean,
): AsyncGenerator<readonly RawRow[]> {
  let held: readonly RawRow[] = []
  for await (const batch of batches) {
    if (held.length > 0) yield held
    held = batch
  }
  const last = held.at(-1)
  if (last && isCut()) yield [...held.slice(0, -1), cutOff(last)]
  else if (last) yield held
}

const cutOff = ({ line, text }: RawRow): RawRow => ({
  line,
  text,
  problem: 'the file breaks off here',
})

/** Of a damaged file only those rows are refused in which bytes are no characters. */
function refusing(read: ImportRows['read'], encoding: Survey['encoding']): ImportRows['read'] {
  if (encoding === 'utf-8' || encoding === 'windows-1252') return read
  const name = encoding === 'utf-8-damaged' ? 'UTF-8' : 'UTF-16'
  return (row) => {
    if (row.text.includes('\ufffd')) throw new BadRow(`not valid ${name}`)
    return read(row)
  }
}
