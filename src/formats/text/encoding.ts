import { isAscii, isUtf8 } from 'node:buffer'
import { Invalid } from '../../errors.ts'

/** Encodings of files. `utf-8-damaged` is UTF-8 with a few invalid bytes. */
export type Encoding = 'utf-8' | 'utf-8-damaged' | 'utf-16le' | 'utf-16be' | 'windows-1252'

const ZEROES = 64

/** UTF-16 by its byte order mark, or by the zero bytes of Latin letters in it. */
export function utf16Of(head: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
  const start = head.subarray(0, ZEROES)
  const zeroes = (offset: number) => start.filter((byte, at) => at % 2 === offset && byte === 0)
  const half = Math.floor(start.length / 2)
  if (half < 2) return undefined
  const [even, odd] = [zeroes(0).length, zeroes(1).length]
  if (odd > half / 2 && even === 0) return 'utf-16le'
  if (even > half / 2 && odd === 0) return 'utf-16be'
  return undefined
}

const UTF32_MARKS = [Buffer.from([0xff, 0xfe, 0, 0]), Buffer.from([0, 0, 0xfe, 0xff])]
const isUtf32 = (head: Buffer): boolean =>
  UTF32_MARKS.some((mark) => head.subarray(0, mark.length).equals(mark))

/** Detects the encoding of a file chunk by chunk. `see` throws Invalid for UTF-32. */
export function createEncodingJudge() {
  let head: 'utf-16le' | 'utf-16be' | undefined
  let first = true
  let carry = Buffer.alloc(0)
  let good = 0
  let bad = 0

  function weigh(bytes: Buffer): void {
    const whole = bytes.length - incompleteTail(bytes)
    carry = Buffer.from(bytes.subarray(whole))
    const text = bytes.subarray(0, whole)
    if (isAscii(text)) return
    const replaced = isUtf8(text) ? 0 : countReplacements(text.toString('utf8'))
    bad += replaced
    good += Math.max(0, countLeadBytes(text) - replaced)
  }

  return {
    see(chunk: Buffer): void {
      if (first && isUtf32(chunk)) {
        throw new Invalid(
          'The file is encoded as UTF-32, which is not supported. Save it as UTF-8.',
        )
      }
      if (first) head = utf16Of(chunk)
      first = false
      if (!head) weigh(carry.length === 0 ? chunk : Buffer.concat([carry, chunk]))
    },
    /** UTF-8 if all bytes are valid, damaged UTF-8 if most characters beyond ASCII are. */
    verdict(): Encoding {
      if (head) return head
      if (carry.length > 0) bad++
      if (bad === 0) return 'utf-8'
      return good > bad ? 'utf-8-damaged' : 'windows-1252'
    },
  }
}

/** Number of characters in place of bytes that are not UTF-8. */
function countReplacements(text: string): number {
  let count = 0
  for (let at = text.indexOf('\ufffd'); at !== -1; at = text.indexOf('\ufffd', at + 1)) count++
  return count
}

/** Number of characters beyond ASCII in valid UTF-8. */
function countLeadBytes(bytes: Buffer): number {
  let count = 0
  for (let at = 0; at < bytes.length; at++) if (bytes[at]! >= 0xc0) count++
  return count
}

/** Number of bytes at the end that begin a character continued in the next piece. */
function incompleteTail(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!
    if (byte < 0x80) return 0
    if (byte >= 0xc0) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
      return length > back ? back : 0
    }
  }
  return 0
}

const UTF8_MARK = Buffer.from([0xef, 0xbb, 0xbf])

/** The text of a file as UTF-8, without a byte order mark, in pieces that may be kept. */
export async function* toUtf8(
  chunks: AsyncIterable<Buffer>,
  encoding: string,
): AsyncGenerator<Buffer> {
  if (encoding !== 'utf-8' && encoding !== 'utf-8-damaged') {
    const decoder = new TextDecoder(encoding)
    for await (const chunk of chunks) yield Buffer.from(decoder.decode(chunk, { stream: true }))
    yield Buffer.from(decoder.decode())
    return
  }
  let first = true
  for await (const chunk of chunks) {
    const marked = first && chunk.subarray(0, 3).equals(UTF8_MARK)
    first = false
    yield Buffer.from(marked ? chunk.subarray(3) : chunk)
  }
}
