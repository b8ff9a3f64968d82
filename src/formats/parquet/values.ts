import type { ParquetType } from 'hyparquet'
import type { DecodingBudget } from './decoding-budget.ts'
import { bitsAt, bytesAt, countAt } from './read-integers.ts'

/** A stored value, before conversion to a date, a decimal … */
export type RawValue = number | bigint | boolean | Buffer

const WIDTHS: Readonly<Partial<Record<ParquetType, number>>> = {
  INT32: 4,
  INT64: 8,
  INT96: 12,
  FLOAT: 4,
  DOUBLE: 8,
}
const LENGTH = 4

/** The physical type of a column's values. */
export interface Storage {
  readonly type: ParquetType
  /** Bytes of a FIXED_LEN_BYTE_ARRAY. */
  readonly width: number
}

export const storageOf = (type: ParquetType, width = 0): Storage => ({
  type,
  width: WIDTHS[type] ?? width,
})

/** The size in bytes of the value at `at` in a page. */
const sizeAt = (page: Buffer, at: number, { type, width }: Storage): number =>
  type === 'BYTE_ARRAY' ? LENGTH + page.readUInt32LE(at) : width

function valueAt(page: Buffer, at: number, { type, width }: Storage): RawValue {
  if (type === 'INT32') return page.readInt32LE(at)
  if (type === 'INT64') return page.readBigInt64LE(at)
  if (type === 'FLOAT') return page.readFloatLE(at)
  if (type === 'DOUBLE') return page.readDoubleLE(at)
  if (type === 'BYTE_ARRAY') return bytesAt(page, at + LENGTH, page.readUInt32LE(at))
  return bytesAt(page, at, width)
}

/** Decodes values in the PLAIN encoding. */
export function* plainValues(page: Buffer, storage: Storage): Generator<RawValue> {
  if (storage.type === 'BOOLEAN') {
    for (let bit = 0; bit < page.length * 8; bit++) yield ((page[bit >> 3]! >> (bit & 7)) & 1) === 1
    return
  }
  for (let at = 0; at < page.length; at += sizeAt(page, at, storage)) {
    yield valueAt(page, at, storage)
  }
}

/** Looks up values of a dictionary by index. Of texts, only positions are held. */
export function dictionaryOf(
  page: Buffer,
  storage: Storage,
  budget: DecodingBudget,
): (index: number) => RawValue {
  if (storage.type !== 'BYTE_ARRAY') {
    return (index) => valueAt(page, index * storage.width, storage)
  }
  const places = new Uint32Array(Math.floor(page.length / LENGTH))
  let count = 0
  for (let at = 0; at < page.length; at += sizeAt(page, at, storage)) {
    budget.add(1)
    places[count++] = at
  }
  return (index) => {
    if (index >= count) throw new RangeError('dictionary index out of range')
    return valueAt(page, places[index]!, storage)
  }
}

/**
 * Decodes values whose bytes are split into streams: first all first bytes, then all second ones …
 */
export function* splitValues(page: Buffer, storage: Storage): Generator<RawValue> {
  const { width } = storage
  const count = Math.floor(page.length / width)
  for (let index = 0; index < count; index++) {
    const value = Buffer.alloc(width)
    for (let place = 0; place < width; place++) value[place] = page[place * count + index]!
    yield valueAt(value, 0, storage)
  }
}

/** Decodes integers of `width` bits (levels, dictionary indexes) in runs or bit-packed groups. */
export function* packedNumbers(
  bytes: Buffer,
  width: number,
  budget: DecodingBudget,
): Generator<number> {
  const wide = Math.ceil(width / 8)
  // Values of zero bits take no bytes.
  while (width === 0) yield 0
  for (let at = 0; at < bytes.length; ) {
    budget.add(1)
    const { value: header, next } = countAt(bytes, at)
    at = next
    if (header % 2 === 0) {
      const value = bytes.readUIntLE(at, wide)
      at += wide
      for (let left = header / 2; left > 0; left--) yield value
      continue
    }
    const groups = (header - 1) / 2
    for (let bit = 0; bit < groups * 8 * width; bit += width)
      yield bitsAt(bytes, at * 8 + bit, width)
    at += groups * width
  }
}
