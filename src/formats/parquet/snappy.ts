import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { countAt } from './read-integers.ts'

/** Bytes after which to yield to other work. A library would block for a whole large page. */
const PIECE = 1024 * 1024
/** Literals with a tag from this on have their length minus one in 1 to 4 bytes after the tag. */
const SHORT = 60

const wrong = () => new RangeError('not what Snappy makes')

/** Decompresses a Snappy block to `size` bytes. Throws RangeError if it is damaged. */
export async function unpackSnappy(packed: Buffer, size: number): Promise<Buffer> {
  const unpacked = Buffer.alloc(size)
  const { value: promised, next } = countAt(packed, 0)
  if (promised !== size) throw wrong()
  let at = next
  let done = 0
  let nextPause = PIECE

  function literal(tag: number): number {
    const wide = Math.max(0, (tag >> 2) + 1 - SHORT)
    const length = (wide === 0 ? tag >> 2 : packed.readUIntLE(at, wide)) + 1
    at += wide
    if (at + length > packed.length || done + length > size) throw wrong()
    packed.copy(unpacked, done, at, at + length)
    at += length
    return length
  }

  function copy(tag: number): number {
    const wide = [0, 1, 2, 4][tag & 3]!
    const low = packed.readUIntLE(at, wide)
    at += wide
    const [length, offset] =
      wide === 1 ? [((tag >> 2) & 7) + 4, ((tag >> 5) << 8) | low] : [(tag >> 2) + 1, low]
    if (offset === 0 || offset > done || done + length > size) throw wrong()
    // Byte by byte, since the ranges may overlap.
    for (let i = done; i < done + length; i++) unpacked[i] = unpacked[i - offset]!
    return length
  }

  while (at < packed.length) {
    const tag = packed[at++]!
    done += (tag & 3) === 0 ? literal(tag) : copy(tag)
    if (done < nextPause) continue
    nextPause = done + PIECE
    await yieldToEventLoop()
  }
  if (done !== size) throw wrong()
  return unpacked
}
