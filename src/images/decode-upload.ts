import { Invalid, TooLarge } from '../errors.ts'
import { limits } from '../limits.ts'

const DATA_URL = /^data:([^,]{0,200}),/i

interface Decoding {
  /** Its name in the message of a failure. */
  readonly what: string
  readonly most: number
}

/**
 * Decodes FileUploadRequest.file: base64 (line breaks allowed) or a base64 data URL. Throws
 * Invalid, and TooLarge above `most` bytes.
 */
export function decodeUpload(
  file: string,
  { what, most }: Decoding = { what: 'The picture', most: limits.imageBytes },
): Buffer {
  const [head = '', parameters] = DATA_URL.exec(file) ?? []
  if (parameters !== undefined && !/;base64$/i.test(parameters)) {
    throw new Invalid('file: a data URL must end its type with ;base64')
  }
  const text = file.slice(head.length)
  const digits = digitsIn(text)
  if (Math.floor((digits * 3) / 4) > most) {
    throw new TooLarge(`${what} is larger than ${most} bytes.`)
  }
  const bytes = Buffer.from(text, 'base64')
  // Buffer ignores white space, and also other characters that are not base64.
  if (digits % 4 === 1 || bytes.length !== Math.floor((digits * 3) / 4)) {
    throw new Invalid('file: must be base64 or a base64 data URL')
  }
  return bytes
}

const [TAB, LINE_FEED, CARRIAGE_RETURN, SPACE] = [0x09, 0x0a, 0x0d, 0x20]
const isSpace = (code: number): boolean =>
  code === SPACE || code === LINE_FEED || code === CARRIAGE_RETURN || code === TAB
const PADDING = 0x3d
/** Maximum number of padding characters. */
const PADDINGS = 2

/** Number of characters besides white space and padding. */
function digitsIn(text: string): number {
  let digits = 0
  let paddings = 0
  let isEnd = true
  for (let at = text.length - 1; at >= 0; at--) {
    const code = text.charCodeAt(at)
    if (isSpace(code)) continue
    isEnd &&= code === PADDING && paddings < PADDINGS
    if (isEnd) paddings++
    else digits++
  }
  return digits
}
