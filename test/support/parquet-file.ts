import { gzipSync, zstdCompressSync } from 'node:zlib'
import type { SchemaElement } from 'hyparquet'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { type StoredBytes, storedBuffer } from '../../src/formats/bytes/stored-bytes.ts'
import type { OpenOptions } from '../../src/formats/format.ts'
import { parquet } from '../../src/formats/parquet/format.ts'

type Options = Omit<Parameters<typeof parquetWriteBuffer>[0], 'columnData'>

/** Writes a Parquet file with these columns of values. */
export const parquetFile = (
  columns: Readonly<Record<string, readonly unknown[]>>,
  options: Options = {},
): Buffer =>
  Buffer.from(
    parquetWriteBuffer({
      compressors: { GZIP: gzipSync, ZSTD: zstdCompressSync },
      ...options,
      columnData: Object.entries(columns).map(([name, data]) => ({ name, data: [...data] })),
    }),
  )

/** The schema of an optional list of strings. */
export const listOfTexts = (name: string): SchemaElement[] => [
  { name, repetition_type: 'OPTIONAL', num_children: 1, converted_type: 'LIST' },
  { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
  { name: 'element', type: 'BYTE_ARRAY', repetition_type: 'OPTIONAL', converted_type: 'UTF8' },
]

const SETTINGS = {
  ...{ delimiter: null, quote: '"', header: true, entry: null, sheet: null },
  ...{ columns: [], vendor: 'Nord' },
}

/** Reads the headings, rows and notes of a Parquet file. */
export async function readParquet(bytes: Buffer | StoredBytes, options: Partial<OpenOptions> = {}) {
  const stored = Buffer.isBuffer(bytes) ? storedBuffer(bytes) : bytes
  const file = await parquet.open(stored, SETTINGS, {
    now: new Date(),
    ...options,
  })
  const rows: { line: number; cells: readonly string[]; problem?: string | undefined }[] = []
  for await (const batch of file.batches) {
    for (const row of batch) {
      rows.push({
        line: row.line,
        cells: file.original(row) as readonly string[],
        problem: row.problem,
      })
    }
  }
  await file.close()
  return { headings: file.headings, notes: file.notes, isCut: file.isCut, rows }
}
