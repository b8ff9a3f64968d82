/** Joins the parts of an index token; refused in every text that a caller sends. */
export const SEPARATOR = '\u001f'

export const token = (...parts: readonly string[]): string =>
  parts.reduce((text, part) => `${text}${SEPARATOR}${part}`)

const LETTERS: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ı: 'i',
}

// Most text is ASCII, and an import folds a lot of it.
const PLAIN = /^[\x20-\x7e]*$/

/** Lower case without accents, spaces folded: how people compare names. */
export function fold(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase().replace(/ {2,}/g, ' ').trim()
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[ßæœøđðþłı]/g, (letter) => LETTERS[letter] ?? letter)
    .replace(/\s+/g, ' ')
    .trim()
}

/** Letters and digits only: how part numbers are compared. Marks of trade are none. */
export const normalisePartNumber = (text: string): string =>
  PLAIN.test(text)
    ? text.toLowerCase().replace(/[^a-z0-9]+/g, '')
    : fold(text.replace(/[™℠]/g, ' ')).replace(/[^\p{L}\p{N}]/gu, '')

/** A part number as it is indexed: normalised, and also without leading zeros. */
export function partNumberForms(text: string): string[] {
  const form = normalisePartNumber(text)
  const bare = form.startsWith('0') ? form.replace(/^0+(?=.)/, '') : form
  return form === '' ? [] : form === bare ? [form] : [form, bare]
}

/** The same text, well-formed, without the longer one that it may be a piece of. */
export const ownText = (text: string): string => Buffer.from(text).toString()
