import { Invalid } from '../../errors.ts'
import { limits } from '../../limits.ts'
import {
  bytesOf,
  createRangeReader,
  headOf,
  packedSize,
  type StoredBytes,
} from '../bytes/stored-bytes.ts'
import { checkUnpacked, unpackedToDisk } from '../bytes/unpack.ts'
import type { Format, OpenOptions } from '../format.ts'
import type { RawRow } from '../rows/raw-row.ts'
import { openCells, rowOfCells } from '../rows/table.ts'
import { createCells, type ReadAmount } from './cells.ts'
import { columnsOf, type ParquetColumn } from './columns.ts'
import { DecodingBudget } from './decoding-budget.ts'
import { type ParquetMetadata, readMetadata, storedColumns } from './metadata.ts'
import { damaged, readAheadOf, refusingDamage } from './pages.ts'

const MAGIC = 'PAR1'
/** Bytes for the length of the metadata, and the magic bytes again. */
const FOOTER = 8

/** Apache Parquet, a column-oriented table format. */
export const parquet: Format = {
  type: 'parquet',
  endings: ['parquet'],
  rejectsAs: 'csv',
  recognises: isParquet,
  async open(stored, settings, options) {
    const isPlain = await isParquet(stored)
    const { file, close } = isPlain
      ? { file: stored, close: async () => undefined }
      : await unpackedToDisk(stored, settings.entry)
    try {
      const metadata = await metadataOf(file)
      const { columns, unused } = refusingDamage(() => columnsOf(metadata))
      if (columns.length > limits.importColumns) {
        throw new Invalid(`The Parquet file has more than ${limits.importColumns} columns.`)
      }
      if (columns.length === 0) throw new Invalid('The Parquet file has no columns with values.')
      const table = { file, metadata, columns }
      const surveyed = { characters: 0, isCut: false }
      for await (const _ of rowsOf(table, surveyed, options)) {
        // Decoding each row detects damage before anything is imported.
      }
      const read = { characters: 0, isCut: false }
      const rows = withNames(columns, rowsOf(table, read, options))
      const today = options.now.toISOString().slice(0, 10)
      const opened = await openCells(rows, { ...settings, header: true }, today)
      const names = unused.join(', ').slice(0, 300)
      return {
        ...opened,
        notes: [
          ...(unused.length > 0
            ? [`Columns not imported, since their values do not fit into cells: ${names}.`]
            : []),
          ...opened.notes,
        ],
        bytes: surveyed.characters,
        position: () => read.characters,
        encoding: 'utf-8',
        isCut: surveyed.isCut,
        close,
      }
    } catch (error) {
      await close()
      throw error
    }
  },
}

async function isParquet(file: StoredBytes): Promise<boolean> {
  return (await headOf(file, MAGIC.length)).toString('latin1') === MAGIC
}

/** The metadata at the end of a file. Throws Invalid. */
async function metadataOf(file: StoredBytes): Promise<ParquetMetadata> {
  if (!(await isParquet(file))) throw new Invalid('The file is not a Parquet file.')
  const tail = await bytesOf(file, { start: Math.max(0, file.bytes - FOOTER), end: file.bytes })
  if (tail.toString('latin1', 4) !== MAGIC) throw damaged()
  const length = tail.readUInt32LE(0)
  if (length > limits.parquetFooterBytes) {
    throw new Invalid(
      `The Parquet file has more than ${limits.parquetFooterBytes} bytes of metadata.`,
    )
  }
  const start = file.bytes - FOOTER - length
  if (start < MAGIC.length) throw damaged()
  const footer = await bytesOf(file, { start, end: start + length })
  const metadata = refusingDamage(() => readMetadata(footer))
  const rows = metadata.groups.reduce((sum, group) => sum + group.rows, 0)
  if (rows > file.bytes * limits.importRatio) {
    throw new Invalid(`The Parquet file has more than ${limits.importRatio} rows per byte.`)
  }
  // A row counts as a byte at least, since one without values takes time as well.
  checkUnpacked(rows, packedSize(file))
  return metadata
}

interface ParquetTable {
  readonly file: StoredBytes
  readonly metadata: ParquetMetadata
  readonly columns: readonly ParquetColumn[]
}

/** Amounts of rows and characters in a batch. */
const BATCH = { rows: 500, characters: 256 * 1024 }

/** The rows, each as a JSON array of its cells' texts. Rows without a value are left out. */
async function* rowsOf(
  { file, metadata, columns }: ParquetTable,
  seen: { characters: number; isCut: boolean },
  { most = Number.POSITIVE_INFINITY }: OpenOptions,
): AsyncGenerator<readonly RawRow[]> {
  let line = 0
  let rows: RawRow[] = []
  let from = 0
  const stored = columns.at(-1)!.chunk + 1
  const packedBytes = packedSize(file)
  const ranges = {
    ...{ bytes: file.bytes, packedBytes, read: createRangeReader(file) },
    readAhead: readAheadOf(columns.length),
  }
  const held = { bytes: 0, unpacked: 0 }
  const read: ReadAmount = { characters: 0, budget: new DecodingBudget() }
  for (const group of metadata.groups) {
    held.bytes = 0
    const chunks = refusingDamage(() => storedColumns(metadata.bytes, group, stored))
    const all = columns.map((column) =>
      createCells(ranges, column, { stored: chunks[column.chunk], held, read }),
    )
    try {
      for (let left = group.rows; left > 0; left--) {
        const cells: string[] = []
        read.characters = 0
        for (const column of all) {
          read.budget.restart()
          cells.push(column.next() ?? (await column.load()))
        }
        seen.characters += read.characters
        const row = rowOfCells(++line, cells, read.characters)
        if (row) rows.push(row)
        if (line % BATCH.rows !== 0 && seen.characters - from < BATCH.characters) continue
        checkUnpacked(seen.characters, packedBytes)
        yield rows
        rows = []
        from = seen.characters
        seen.isCut = from > most
        if (seen.isCut) return
      }
    } finally {
      for (const column of all) await column.close()
    }
  }
  yield rows
}

/** Puts the names of the columns first, as a header row. */
async function* withNames(
  columns: readonly ParquetColumn[],
  rows: AsyncIterable<readonly RawRow[]>,
): AsyncGenerator<readonly RawRow[]> {
  yield [{ line: 0, text: JSON.stringify(columns.map(({ name }) => name)) }]
  yield* rows
}
