import type { FileMetaData, SchemaElement } from 'hyparquet'
import { limits } from '../../limits.ts'
import type { RawValue } from './values.ts'

/** A column of a Parquet file that is read as a table column: single values, or lists of them. */
export interface ParquetColumn {
  readonly name: string
  /** Its index among the stored columns of a row group. */
  readonly chunk: number
  readonly element: SchemaElement
  /** The definition level at which a value is present and not null. */
  readonly maxDefinition: number
  readonly isList: boolean
  readonly text: (value: RawValue) => string
}

/**
 * The columns of a file, and the names of those that do not fit into cells. Throws TypeError for a
 * wrong schema.
 */
export function columnsOf({ schema }: Pick<FileMetaData, 'schema'>) {
  const columns: ParquetColumn[] = []
  const unused: string[] = []
  let chunk = 0
  for (let at = 1; at < schema.length; ) {
    const { name } = schema[at]!
    if (typeof name !== 'string') throw new TypeError('a column without a name')
    const field = fieldFrom(schema, at)
    const { leaf, leaves, maxDefinition, repetitions } = field
    const isSingle = field.size === 1 || repetitions === 1
    const text = isSingle && leaves === 1 && repetitions <= 1 ? textOf(leaf) : undefined
    if (text) {
      columns.push({ name, chunk, element: leaf, maxDefinition, isList: repetitions === 1, text })
    } else unused.push(name)
    chunk += leaves
    at += field.size
  }
  return { columns, unused }
}

/** A field and its descendants, which follow it in the schema. */
function fieldFrom(schema: readonly SchemaElement[], from: number) {
  let size = 0
  let leaves = 0
  let maxDefinition = 0
  let repetitions = 0
  let leaf = schema[from]!
  for (let open = 1; open > 0; size++) {
    leaf = schema[from + size]!
    const { num_children: children = 0, repetition_type: repetition } = leaf
    if (children === 0) leaves++
    if (repetition !== 'REQUIRED') maxDefinition++
    if (repetition === 'REPEATED') repetitions++
    open += Math.max(0, children) - 1
  }
  return { size, leaves, leaf, maxDefinition, repetitions }
}

const DAY_MS = 86_400_000
/** The day number of 1970-01-01 in INT96 timestamps. */
const EPOCH = 2_440_588

/** Formats the values of a column as text; undefined if they are neither text nor numbers. */
function textOf(element: SchemaElement): ((value: RawValue) => string) | undefined {
  const { type, converted_type: converted, logical_type: logical } = element
  const kind = logical?.type ?? converted
  if (kind === 'DECIMAL') {
    const scale = (logical?.type === 'DECIMAL' ? logical.scale : element.scale) ?? 0
    return (value) => decimalText(Buffer.isBuffer(value) ? signed(value) : BigInt(value), scale)
  }
  if (kind === 'DATE') return (days) => dayText(Number(days) * DAY_MS).slice(0, 10)
  const unit = unitOf(element)
  if (unit !== undefined && (kind?.startsWith('TIME_') || kind === 'TIME')) {
    return (time) => dayText(Number(time) / unit).slice(11)
  }
  if (unit !== undefined) {
    const zone = logical?.type === 'TIMESTAMP' && !logical.isAdjustedToUTC ? '' : 'Z'
    return (time) => `${dayText(Number(time) / unit)}${zone}`
  }
  if (kind === 'UUID') return (value) => uuidText(value as Buffer)
  if (type === 'INT96') return (value) => int96Text(value as Buffer)
  if (type === 'FLOAT') return (value) => floatText(value as number)
  if (type === 'DOUBLE') return (value) => (Number.isFinite(value) ? String(value) : '')
  if (type === 'BOOLEAN') return String
  if (type === 'INT32' || type === 'INT64') {
    const isUnsigned =
      converted?.startsWith('UINT') || (logical?.type === 'INTEGER' && !logical.isSigned)
    const bits = type === 'INT32' ? 32 : 64
    return isUnsigned ? (value) => String(BigInt.asUintN(bits, BigInt(value as bigint))) : String
  }
  return type === 'BYTE_ARRAY' && kind !== 'BSON' && kind !== 'GEOMETRY' && kind !== 'GEOGRAPHY'
    ? (value) => bytesText(value as Buffer)
    : undefined
}

/** Units of a time value per millisecond. */
function unitOf({ converted_type: converted, logical_type: logical }: SchemaElement) {
  const unit =
    logical?.type === 'TIMESTAMP' || logical?.type === 'TIME'
      ? logical.unit
      : /^TIME(?:STAMP)?_(MILLIS|MICROS)$/.exec(converted ?? '')?.[1]
  return unit === undefined ? undefined : { MILLIS: 1, MICROS: 1e3, NANOS: 1e6 }[unit]
}

/** `2026-01-31T18:00:00`, with milliseconds if not zero; empty for an invalid day. */
function dayText(milliseconds: number): string {
  const day = new Date(milliseconds)
  return Number.isNaN(day.getTime()) ? '' : day.toISOString().replace(/(?:\.000)?Z$/, '')
}

const int96Text = (value: Buffer): string =>
  dayText((value.readInt32LE(8) - EPOCH) * DAY_MS + Number(value.readBigInt64LE(0)) / 1e6)

const signed = (bytes: Buffer): bigint => {
  const short = bytes.subarray(0, DECIMAL_BYTES)
  return short.length === 0
    ? 0n
    : BigInt.asIntN(short.length * 8, BigInt(`0x${short.toString('hex')}`))
}
/** 76 digits, the maximum of known writers. */
const DECIMAL_BYTES = 32

function decimalText(unscaled: bigint, scale: number): string {
  if (scale <= 0 || scale > 100) return String(unscaled)
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, '0')
  return `${unscaled < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}

/** The shortest decimal text of a 32-bit float. */
function floatText(value: number): string {
  if (!Number.isFinite(value)) return ''
  const digits = [6, 7, 8].find((count) => Math.fround(Number(value.toPrecision(count))) === value)
  return String(Number(value.toPrecision(digits ?? 9)))
}

const uuidText = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')

/** Text of a value. Of one too large for any row, only enough to be refused later. */
const bytesText = (bytes: Buffer): string =>
  bytes.length > limits.importRowBytes
    ? bytes.toString('latin1', 0, limits.importRowBytes + 1)
    : bytes.toString('utf8')
