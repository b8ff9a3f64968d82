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
  const notBase64 = () => new Invalid('file: must be base64 or a base64 data URL')
  if (!BASE64.test(text)) throw notBase64()
  const bytes = Buffer.from(text, 'base64')
  if (isCutOff(text, bytes.length)) throw notBase64()
  if (bytes.length > most) throw new TooLarge(`${what} is larger than ${most} bytes.`)
  return bytes
}

/** Base64, also the one for addresses, with white space. Buffer would skip other characters. */
const BASE64 = /^[\w+/\-\t\n\r ]*(?:=[\t\n\r ]*){0,2}$/

/** Whether a digit is left over: with one more in front, there is one byte more. */
const isCutOff = (text: string, length: number): boolean =>
  length % 3 === 0 && Buffer.from(`A${text}`, 'base64').length > length
