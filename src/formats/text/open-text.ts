import { Damaged } from '../../imports/reading/damaged.ts'
import type { FileType, ReadingSettings } from '../../imports/settings.ts'
import { openBmecat } from '../bmecat/format.ts'
import type { Source } from '../bytes/unpack.ts'
import { openCif } from '../cif/format.ts'
import { cifHeader } from '../cif/header.ts'
import { BATCH, type ImportRows, type OpenedRows } from '../format.ts'
import { jsonlRows } from '../jsonl/lines.ts'
import { jsonRow } from '../jsonl/product-line.ts'
import type { RowChange } from '../rows/change.ts'
import { BadRow } from '../rows/mapped-row.ts'
import { inBatches, type RawRow } from '../rows/raw-row.ts'
import { openCells, openSheetCells } from '../rows/table.ts'
import type { SheetParts } from '../xlsx/sheet.ts'
import { declaredEncoding, encodingOfXml } from './declared-encoding.ts'
import { toUtf8 } from './encoding.ts'
import type { Survey } from './survey.ts'

export interface OpenOptions {
  /** `YYYY-MM-DD`: what a file says for certain days only counts on this one. */
  readonly today: string
  readonly isCancelled: () => boolean
  /** Of a workbook. */
  readonly sheet: SheetParts | undefined
}

/** Opens the rows of a surveyed file. Throws Invalid when its columns cannot be told. */
export async function openRows(
  source: Source,
  survey: Survey,
  settings: ReadingSettings,
  { today, isCancelled, sheet }: OpenOptions,
): Promise<ImportRows> {
  let position = 0
  let end: Buffer = Buffer.alloc(0)
  async function* bytes(isCounted: boolean): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of source.open()) {
        if (isCounted) position += chunk.length
        if (chunk.length > 0) end = Buffer.from(chunk.subarray(-2))
        yield chunk
      }
    } catch (error) {
      // The survey has seen it; the task says so in the end.
      if (!(error instanceof Damaged)) throw error
    }
  }
  const encoding = encodingOf(survey, settings)
  /** Only of what is read last it is said how far it is. */
  const text = (isCounted = false) => toUtf8(bytes(isCounted), encoding)
  const options = { today, isCancelled, head: survey.head, isCut: survey.damaged }
  const openers: Record<FileType, () => OpenedRows | Promise<OpenedRows>> = {
    csv: () => openCells(text(true), survey, settings),
    tsv: () => openCells(text(true), survey, settings),
    jsonl: () => openLines(text(true), settings),
    xlsx: () => openSheetCells(text(true), sheet!, settings),
    bmecat: () => openBmecat(text, settings, options),
    cif: () => openCif(text, settings, options),
  }
  const opened = await openers[settings.fileType]()
  return {
    ...opened,
    batches:
      survey.damaged && !isXml(settings)
        ? doubtingTheLast(opened.batches, () => !/[\r\n]\0?$/.test(end.toString('latin1')))
        : opened.batches,
    read: bounding(refusing(opened.read, encoding), settings),
    position: () => position,
    encoding,
    notes: [...encodingNotes(encoding), ...opened.notes],
  }
}

const openLines = (text: AsyncIterable<Buffer>, { vendor }: ReadingSettings): OpenedRows => ({
  batches: inBatches(jsonlRows(text), BATCH),
  read: ({ text }) => jsonRow(text, vendor),
  original: ({ text }) => text.trim(),
  headings: [],
  notes: [],
})

/** What breaks off inside an element of XML is no row. */
const isXml = ({ fileType }: ReadingSettings): boolean =>
  fileType === 'xlsx' || fileType === 'bmecat'

/** Some types of files say themselves how they are written. */
function encodingOf(survey: Survey, settings: ReadingSettings): string {
  if (isXml(settings)) return declaredEncoding(encodingOfXml(survey.head), survey)
  if (settings.fileType === 'cif') return declaredEncoding(cifHeader(survey.head).charset, survey)
  return survey.encoding
}

function encodingNotes(encoding: string): string[] {
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

/** A row with another vendor's offer still says which product it is about. */
function bounding(read: ImportRows['read'], { vendor, vendors }: ReadingSettings) {
  if (vendors !== 'one') return read
  return (row: RawRow): RowChange => {
    const change = read(row)
    const other = change.offers.find(({ vendorName }) => vendorName !== vendor)
    return other ? { ...change, refused: foreign(other.vendorName, vendor) } : change
  }
}

const foreign = (named: string, vendor: string | null): string =>
  vendor === null
    ? `has an offer of ${named}, and the extension is installed for no vendor`
    : `has an offer of ${named}, and the extension is installed for ${vendor}`

/** Of a damaged file only those rows are refused in which bytes are no characters. */
function refusing(read: ImportRows['read'], encoding: string): ImportRows['read'] {
  if (encoding !== 'utf-8-damaged' && !encoding.startsWith('utf-16')) return read
  const name = encoding === 'utf-8-damaged' ? 'UTF-8' : 'UTF-16'
  return (row) => {
    if (row.text.includes('\ufffd')) throw new BadRow(`not valid ${name}`)
    return read(row)
  }
}
