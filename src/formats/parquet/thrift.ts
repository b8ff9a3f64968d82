import { limits } from '../../limits.ts'
import { countAt } from './read-integers.ts'

// Types of Thrift's compact protocol.
const TRUE = 1
const FALSE = 2
const BYTE = 3
const [I16, I64] = [4, 6]
const DOUBLE = 7
const BINARY = 8
const LIST = 9
const STRUCT = 12

const DEEPEST = 16
/** From this depth on there are statistics and names, which are short. */
const DEEP = 6
const DEEP_BYTES = 8 * 1024

const wrong = () => new RangeError('not what Parquet files hold')

/**
 * Where a struct of Thrift's compact protocol ends. The parser that reads it afterwards has no
 * bounds of its own: throws RangeError for one that ends early or is larger or deeper than any real one.
 */
export function structEnd(bytes: Buffer, from: number): number {
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
    for (let head = byte(); (head & 0x0f) !== 0; head = byte()) {
      if (head >> 4 === 0) integer()
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
    const head = byte()
    const type = head & 0x0f
    const size = head >> 4 === 15 ? integer() : head >> 4
    for (let left = size; left > 0; left--)
      value(type === TRUE || type === FALSE ? BYTE : type, depth + 1)
  }

  struct(0)
  return at
}
