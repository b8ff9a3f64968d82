/** A text shortened to the length of its field. */
export const cut = (text: string, max: number): string =>
  text.length <= max ? text : `${text.slice(0, max - 1).toWellFormed()}…`

const LISTED = { names: 10, length: 200 }

/** The first names for a message, each cut, with an ellipsis if there are more. */
export const listed = (names: readonly string[]): string =>
  names
    .slice(0, LISTED.names)
    .map((name) => cut(name, LISTED.length))
    .join(', ') + (names.length > LISTED.names ? ' …' : '')

/** The parts of a text between separators, trimmed and without empty ones. */
export const splitTrimmed = (text: string, separator: string | RegExp): string[] =>
  text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '')

/** The words in these lines, between separators. */
export const wordSet = (separator: string, lines: readonly string[]): ReadonlySet<string> =>
  new Set(lines.flatMap((line) => line.split(separator)))

/** Each word of these lists, with the key of its list. */
export const keyedWords = <K extends string>(
  separator: string,
  lists: Readonly<Record<K, string>>,
): [word: string, key: K][] =>
  (Object.entries(lists) as [K, string][]).flatMap(([key, list]) =>
    list.split(separator).map((word): [string, K] => [word, key]),
  )

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

/** Characters that a spelled-out text may have beyond four times its original length. */
const SPELLED = 32
/** Characters that are spelled out at a time. */
const PIECE = 4_096

/**
 * A text with its compatibility characters spelled out. Some stand for many letters (U+FDFA for
 * 18), so the result is cut for a text that consists mostly of those.
 */
function spelledOut(text: string): string {
  const most = 4 * text.length + SPELLED
  let spelled = ''
  for (let at = 0; at < text.length && spelled.length < most; ) {
    // Never split a surrogate pair.
    const end = at + PIECE + (isHigh(text.charCodeAt(at + PIECE - 1)) ? 1 : 0)
    spelled += text.slice(at, end).normalize('NFKD')
    at = end
  }
  return spelled.length > most ? spelled.slice(0, most).toWellFormed() : spelled
}

const isHigh = (code: number): boolean => code >= 0xd800 && code <= 0xdbff

/**
 * Lower case without accents, with spaces folded, and ligatures and fractions spelled out, as
 * people compare names.
 */
export function fold(text: string): string {
  if (PLAIN.test(text)) {
    const lower = text.toLowerCase()
    return (lower.includes('  ') ? lower.replace(/ {2,}/g, ' ') : lower).trim()
  }
  // Removes separate marks first, since normalization takes quadratic time to order many of them.
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

/** The folded words of a text, without punctuation. */
export const foldedWords = (text: string): string[] => fold(text).match(/[\p{L}\p{N}]+/gu) ?? []

/** Letters and digits only, as part numbers are compared. Trademark signs are dropped. */
export const normalisePartNumber = (text: string): string =>
  PLAIN.test(text)
    ? text.toLowerCase().replace(/[^a-z0-9]+/g, '')
    : fold(text.replace(/[™℠]/g, ' ')).replace(/[^\p{L}\p{N}]/gu, '')

/** A part number as it is indexed: normalized, and also without leading zeros. */
export function partNumberForms(text: string): string[] {
  const form = normalisePartNumber(text)
  let zeros = 0
  while (zeros < form.length - 1 && form[zeros] === '0') zeros++
  const bare = form.slice(zeros)
  return form === '' ? [] : form === bare ? [form] : [form, bare]
}

/**
 * Converts ASCII letters only, since other characters, such as the Kelvin sign, may become ASCII.
 */
export const lowerAscii = (text: string): string =>
  text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())

/**
 * A well-formed copy of the text, which does not keep a longer text that it is a slice of in
 * memory.
 */
export const detachedText = (text: string): string => Buffer.from(text).toString()

/** The text without these characters at its end. A regular expression would take quadratic time. */
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

/** The text with bracketed parts replaced, including their brackets. An unclosed bracket stays. */
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
