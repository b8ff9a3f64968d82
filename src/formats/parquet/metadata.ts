import {
  type CompressionCodec,
  type ParquetType,
  parquetMetadata,
  type SchemaElement,
} from 'hyparquet'
import { CompressionCodecs, ParquetTypes } from 'hyparquet/src/constants.js'
import { deserializeTCompactProtocol } from 'hyparquet/src/thrift.js'
import { Invalid } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { LIST, listAt, numberAt, structEnd, structsAt } from './thrift.ts'

/** A row group, and the position of its list of columns in the metadata. */
export interface RowGroup {
  readonly rows: number
  readonly columns: number
}

/** The metadata of a file. As there may be many groups, their columns are parsed on demand. */
export interface ParquetMetadata {
  readonly schema: SchemaElement[]
  readonly groups: readonly RowGroup[]
  readonly bytes: Buffer
}

/** A column in a row group. */
export interface StoredColumn {
  readonly type: ParquetType | undefined
  readonly codec: CompressionCodec | undefined
  /** The range of its pages. */
  readonly start: number
  readonly bytes: number
}

/** Maximum bytes of the metadata of a column chunk, whose statistics are short. */
const COLUMN_BYTES = 64 * 1024
/** Schema elements per column, of which nested ones have several. */
const NESTED = 8
/** Thrift ids of fields of the file metadata. */
const [SCHEMA, GROUPS] = [2, 4]
/** Thrift ids of fields of a row group. */
const [COLUMNS, ROWS] = [1, 3]
/** Thrift bytes of an empty list of structs, and of the end of the struct around it. */
const NO_GROUPS = [0x0c, 0]

/**
 * Parses the metadata. Throws RangeError, TypeError and Error for damaged bytes, Invalid for too
 * many columns.
 */
export function readMetadata(bytes: Buffer): ParquetMetadata {
  let at: number | undefined
  structEnd(bytes, 0, (id, type, from) => {
    if (id === SCHEMA && type === LIST) checkSchema(listAt(bytes, from).size)
    if (id === GROUPS && type === LIST) at = from
  })
  if (at === undefined) throw new TypeError('no row groups')
  const groups = [...structsAt(bytes, at)].map(({ start }) => groupAt(bytes, start))
  return { schema: schemaOf(bytes.subarray(0, at)), groups, bytes }
}

function checkSchema(elements: number): void {
  if (elements > limits.importColumns * NESTED) {
    throw new Invalid(`The Parquet file has more than ${limits.importColumns} columns.`)
  }
}

/** Parses the schema, which precedes the row groups. */
function schemaOf(head: Buffer): SchemaElement[] {
  const end = Buffer.from('....PAR1', 'latin1')
  end.writeUInt32LE(head.length + NO_GROUPS.length)
  const footer = Buffer.concat([head, Buffer.from(NO_GROUPS), end])
  return parquetMetadata(footer, { geoparquet: false }).schema
}

function groupAt(bytes: Buffer, start: number): RowGroup {
  let columns: number | undefined
  let rows = -1
  structEnd(bytes, start, (id, type, at) => {
    if (id === COLUMNS && type === LIST) columns = at
    if (id === ROWS) rows = numberAt(bytes, at)
  })
  if (columns === undefined || rows < 0) throw new TypeError('incomplete row group')
  return { rows, columns }
}

/** The first `count` columns of a row group. Throws the same errors as `readMetadata`. */
export function storedColumns(bytes: Buffer, group: RowGroup, count: number): StoredColumn[] {
  const columns: StoredColumn[] = []
  for (const { start, end } of structsAt(bytes, group.columns)) {
    if (columns.length === count) break
    if (end - start > COLUMN_BYTES) throw new RangeError('column metadata too large')
    const view = new DataView(bytes.buffer, bytes.byteOffset + start, end - start)
    columns.push(storedColumn(deserializeTCompactProtocol({ view, offset: 0 })))
  }
  return columns
}

/** Throws TypeError for a column in another file. */
function storedColumn({ field_1: elsewhere, field_3: meta }: ThriftStruct): StoredColumn {
  if (elsewhere?.length > 0) throw new TypeError('a column in another file')
  const offsets = [meta.field_9, meta.field_11].map((at) => Number(at ?? 0))
  return {
    type: ParquetTypes[meta.field_1],
    codec: CompressionCodecs[meta.field_4],
    start: Math.min(...offsets.filter((offset) => offset > 0)),
    bytes: Number(meta.field_7),
  }
}

type ThriftStruct = ReturnType<typeof deserializeTCompactProtocol>
