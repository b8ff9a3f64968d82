import { limits } from '../../limits.ts'
import { countAt } from './read-integers.ts'

// Types of Thrift's compact protocol.
const TRUE = 1
const FALSE = 2
const BYTE = 3
const [I16, I64] = [4, 6]
const DOUBLE = 7
const BINARY = 8
export const LIST = 9
const STRUCT = 12

const DEEPEST = 16
/** From this depth on, there are only statistics and names, which are short. */
const DEEP = 6
const DEEP_BYTES = 8 * 1024

const wrong = () => new RangeError('invalid Thrift structure')

/** Called for each field of a struct with its id, its type, and the position of its value. */
export type SeeField = (id: number, type: number, at: number) => void

/**
 * The end of a struct in Thrift's compact protocol. The parser that reads it afterwards has no
 * limits, so this throws RangeError if it ends early, or is larger or deeper than any real one.
 */
export function structEnd(bytes: Buffer, from: number, see?: SeeField): number {
  let at = from
  let values = 0

  function skip(count: number): void {
    at += count
    if (at > bytes.length) throw wrong()
  }

  function byte(): number {
    skip(1)
    return bytes[at - 1]!
  }

  function integer(): number {
    const { value, next } = countAt(bytes, at)
    at = next
    return value
  }

  function struct(depth: number): void {
    if (depth > DEEPEST) throw wrong()
    let id = 0
    for (let head = byte(); (head & 0x0f) !== 0; head = byte()) {
      id = head >> 4 === 0 ? signed(integer()) : id + (head >> 4)
      if (depth === 0) see?.(id, head & 0x0f, at)
      value(head & 0x0f, depth)
    }
  }

  function value(type: number, depth: number): void {
    if (++values > limits.parquetFooterValues || depth > DEEPEST) throw wrong()
    if (type === TRUE || type === FALSE) return
    if (type === BYTE) skip(1)
    else if (type >= I16! && type <= I64!) integer()
    else if (type === DOUBLE) skip(8)
    else if (type === BINARY) binary(depth)
    else if (type === LIST) list(depth)
    else if (type === STRUCT) struct(depth + 1)
    else throw wrong()
  }

  function binary(depth: number): void {
    const length = integer()
    if (depth >= DEEP && length > DEEP_BYTES) throw wrong()
    skip(length)
  }

  function list(depth: number): void {
    const { type, size, next } = listAt(bytes, at)
    at = next
    for (let left = size; left > 0; left--)
      value(type === TRUE || type === FALSE ? BYTE : type, depth + 1)
  }

  struct(0)
  return at
}

/** Decodes a zigzag integer, whose lowest bit is the sign. */
const signed = (value: number): number => (value % 2 === 0 ? value / 2 : -(value + 1) / 2)

export const numberAt = (bytes: Buffer, at: number): number => signed(countAt(bytes, at).value)

/**
 * The type and number of the elements in a list, and the position of the first. Throws RangeError.
 */
export function listAt(bytes: Buffer, from: number) {
  const head = bytes.readUInt8(from)
  const type = head & 0x0f
  if (head >> 4 < 15) return { type, size: head >> 4, next: from + 1 }
  const { value: size, next } = countAt(bytes, from + 1)
  return { type, size, next }
}

/** The start and end of each struct in a list. Throws RangeError. */
export function* structsAt(bytes: Buffer, from: number): Generator<{ start: number; end: number }> {
  const { type, size, next } = listAt(bytes, from)
  if (size > 0 && type !== STRUCT) throw wrong()
  for (let start = next, left = size; left > 0; left--) {
    const end = structEnd(bytes, start)
    yield { start, end }
    start = end
  }
}
