/** These bytes of a page. Throws RangeError if it has fewer. */
export function bytesAt(page: Buffer, at: number, length: number): Buffer {
  if (at + length > page.length) throw new RangeError('value extends beyond its page')
  return page.subarray(at, at + length)
}

/** Decodes a varint and returns the position after it. Throws RangeError. */
export function integerAt(bytes: Buffer, from: number): { value: bigint; next: number } {
  let value = 0n
  for (let place = 0n, at = from; place < 70n; place += 7n) {
    const byte = bytes.readUInt8(at++)
    value |= BigInt(byte & 0x7f) << place
    if (byte < 0x80) return { value, next: at }
  }
  throw new RangeError('a number that is too long')
}

/** Like `integerAt`, but inexact from 2^53 on, beyond any valid count or length. */
export function countAt(bytes: Buffer, from: number): { value: number; next: number } {
  let value = 0
  for (let place = 0, at = from; place < 70; place += 7) {
    const byte = bytes.readUInt8(at++)
    value += (byte & 0x7f) * 2 ** place
    if (byte < 0x80) return { value, next: at }
  }
  throw new RangeError('a number that is too long')
}

/** Decodes an integer of at most 32 bits, the lowest bit first. Throws RangeError. */
export function bitsAt(bytes: Buffer, from: number, width: number): number {
  let value = 0
  for (let bit = 0; bit < width; ) {
    const at = from + bit
    const taken = Math.min(8 - (at & 7), width - bit)
    const part = (bytes.readUInt8(at >> 3) >> (at & 7)) & ((1 << taken) - 1)
    value += part * 2 ** bit
    bit += taken
  }
  return value
}
