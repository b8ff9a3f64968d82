/** A text shortened to what its field holds. */
export const cut = (text: string, max: number): string =>
  text.length <= max ? text : `${text.slice(0, max - 1).toWellFormed()}…`

/** Joins the parts of an index token; refused in every text that a caller sends. */
export const SEPARATOR = '\u001f'

export function token(...parts: readonly string[]): string {
  let text = parts[0]!
  for (let at = 1; at < parts.length; at++) text += SEPARATOR + parts[at]
  return text
}

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
  ς: 'σ',
  '\u2044': '/',
}

// Most text is ASCII, and an import folds a lot of it.
const PLAIN = /^[\x20-\x7e]*$/

const MARKS = /\p{M}+/gu

/** Characters that a text may be more than four times as long when its signs are spelled out. */
const SPELLED = 32
/** Characters that are spelled out at a time. */
const PIECE = 4_096

/**
 * A text with its signs spelled out. Some stand for many letters (U+FDFA for 18): what they make of
 * a text that has hardly anything else is cut.
 */
function spelledOut(text: string): string {
  const most = 4 * text.length + SPELLED
  let spelled = ''
  for (let at = 0; at < text.length && spelled.length < most; ) {
    // Halves of a character mean nothing by themselves.
    const end = at + PIECE + (isHigh(text.charCodeAt(at + PIECE - 1)) ? 1 : 0)
    spelled += text.slice(at, end).normalize('NFKD')
    at = end
  }
  return spelled.length > most ? spelled.slice(0, most).toWellFormed() : spelled
}

const isHigh = (code: number): boolean => code >= 0xd800 && code <= 0xdbff

/** Lower case without accents, spaces folded, ligatures and fractions spelled out: how people compare names. */
export function fold(text: string): string {
  if (PLAIN.test(text)) {
    const lower = text.toLowerCase()
    return (lower.includes('  ') ? lower.replace(/ {2,}/g, ' ') : lower).trim()
  }
  // Marks that stand alone go first: to put many of them in order takes the square of their number.
  return spelledOut(text.replace(MARKS, ''))
    .replace(MARKS, '')
    .toLowerCase()
    .replace(/[ßæœøđðþłıς\u2044]/g, (letter) => LETTERS[letter] ?? letter)
    .replace(/\s+/g, ' ')
    .trim()
}

/** How many words a text has, with spaces between. */
export function countWords(text: string): number {
  let count = 0
  let wasSpace = true
  for (let at = 0; at < text.length; at++) {
    const isSpace = isSpaceCode(text.charCodeAt(at))
    if (wasSpace && !isSpace) count++
    wasSpace = isSpace
  }
  return count
}

const SPACE = /\s/
const isSpaceCode = (code: number): boolean =>
  code < 128 ? code === 32 || (code >= 9 && code <= 13) : SPACE.test(String.fromCharCode(code))

/** The words of a text as people compare them, without what stands between. */
export const foldedWords = (text: string): string[] => fold(text).match(/[\p{L}\p{N}]+/gu) ?? []

/** Letters and digits only: how part numbers are compared. Marks of trade are none. */
export const normalisePartNumber = (text: string): string =>
  PLAIN.test(text)
    ? text.toLowerCase().replace(/[^a-z0-9]+/g, '')
    : fold(text.replace(/[™℠]/g, ' ')).replace(/[^\p{L}\p{N}]/gu, '')

/** A part number as it is indexed: normalised, and also without leading zeros. */
export function partNumberForms(text: string): string[] {
  const form = normalisePartNumber(text)
  let zeros = 0
  while (zeros < form.length - 1 && form[zeros] === '0') zeros++
  const bare = form.slice(zeros)
  return form === '' ? [] : form === bare ? [form] : [form, bare]
}

/** Lower case of ASCII alone: small letters of other signs may be ASCII, as of the Kelvin sign. */
export const lowerAscii = (text: string): string =>
  text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())

/** The same text, well-formed, without the longer one that it may be a piece of. */
export const detachedText = (text: string): string => Buffer.from(text).toString()

/** The text without these characters at its end. A pattern for ends looks from each place anew. */
export function withoutEnd(text: string, characters: string): string {
  let end = text.length
  while (end > 0 && characters.includes(text[end - 1]!)) end--
  return text.slice(0, end)
}

/** The text without these characters at its beginning and its end. */
export function withoutEnds(text: string, characters: string): string {
  let start = 0
  while (start < text.length && characters.includes(text[start]!)) start++
  return withoutEnd(text.slice(start), characters)
}

/** The text with what stands in brackets replaced, the brackets too; an open one is left alone. */
export function replaceBracketed(
  text: string,
  [open, close]: readonly [string, string],
  replacement: (inside: string) => string,
): string {
  const pieces: string[] = []
  let at = 0
  for (;;) {
    const start = text.indexOf(open, at)
    const end = start === -1 ? -1 : text.indexOf(close, start + 1)
    if (end === -1) return pieces.join('') + text.slice(at)
    pieces.push(text.slice(at, start), replacement(text.slice(start + 1, end)))
    at = end + 1
  }
}
