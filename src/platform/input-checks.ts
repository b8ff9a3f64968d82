import { Invalid } from '../errors.ts'
import { limits } from '../limits.ts'
import type { Steps } from './steps.ts'

// Tab, line feed and carriage return are text; other control characters are separators of ours.
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is looked for
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/

/** The content types of JSON. */
export const JSON_TYPE = /^application\/(?:[a-z0-9.+-]+\+)?json\s*(?:;|$)/i

/** Throws Invalid for text that cannot be stored, matched or shown unchanged. */
export function checkText(text: string, path: string): void {
  if (!text.isWellFormed()) throw new Invalid(`${path}: unpaired surrogates are not allowed`)
  if (CONTROL.test(text)) throw new Invalid(`${path}: control characters are not allowed`)
}

const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c]
/** Square brackets differ from braces by this bit only, and nothing else does. */
const CURLY = 0x20
const [OPENING, CLOSING] = [0x7b, 0x7d]

/**
 * Throws Invalid for JSON that nests too deep, or has too many values or names in one object, which
 * would take long to parse. Scans each byte once, without checking that it is JSON at all.
 */
export function checkShape(json: Uint8Array, name = 'body', most?: number): void {
  createShapeCheck(name, most)(json)
}

/** Like checkShape, for text. Short text with few brackets is not scanned. */
export function checkTextShape(text: string, name: string, most: number): void {
  const isSimple = text.length < most && bracketsIn(text, limits.jsonDepth) <= limits.jsonDepth
  if (!isSimple) checkShape(Buffer.from(text), name, most)
}

/** Opening brackets, including those inside strings; stops counting beyond `most`. */
function bracketsIn(text: string, most: number): number {
  let count = 0
  for (const bracket of '{[') {
    let at = text.indexOf(bracket)
    while (at !== -1 && count <= most) {
      count++
      at = text.indexOf(bracket, at + 1)
    }
  }
  return count
}

/** Bytes of a string that are looked at one by one before the engine looks for its end. */
const NEAR = 64

/** The position of the quotation mark that ends a string, or after the chunk if that is elsewhere. */
function endOfText(json: Uint8Array, start: number): number {
  for (let at = start; ; ) {
    const near = Math.min(json.length, at + NEAR)
    while (at < near && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1
    if (at < near || at >= json.length) return at
    const found = json.indexOf(QUOTE, at)
    const end = found === -1 ? json.length : found
    let slashes = 0
    while (end - slashes > at && json[end - slashes - 1] === BACKSLASH) slashes++
    if (slashes % 2 === 0) return end
    at = end - 1
  }
}

/** Like checkShape, for the chunks of a text in order. */
export function createShapeCheck(
  name = 'body',
  most: number = limits.jsonValues,
): (piece: Uint8Array) => void {
  let depth = 0
  let values = 1
  /** Values at each depth; names of an object, or fewer than any maximum in a list. */
  const counts = new Float64Array(limits.jsonDepth + 1)
  let isInText = false
  /** Bytes of the next chunk escaped by a backslash at the end of this one. */
  let escaped = 0

  /** The position after the quotation mark that ends a string, or after the chunk. */
  function afterText(json: Uint8Array, start: number): number {
    const at = endOfText(json, start)
    isInText = at >= json.length
    escaped = Math.max(0, at - json.length)
    return at + 1
  }

  return (json) => {
    for (let at = isInText ? afterText(json, escaped) : 0; at < json.length; at++) {
      const byte = json[at]!
      if (byte === QUOTE) at = afterText(json, at + 1) - 1
      else if ((byte | CURLY) === OPENING) {
        values++
        if (++depth > limits.jsonDepth)
          throw new Invalid(`${name}: nested deeper than ${limits.jsonDepth}`)
        counts[depth] = byte === OPENING ? 1 : -Infinity
      } else if ((byte | CURLY) === CLOSING) depth--
      else if (byte === COMMA) {
        values++
        if (++counts[depth]! > limits.jsonNames)
          throw new Invalid(`${name}: an object has more than ${limits.jsonNames} names`)
      }
      if (values > most) throw new Invalid(`${name}: more than ${most} values`)
    }
  }
}

/** Throws Invalid for what zod would drop silently or what nests too deep. */
export function checkValue(value: unknown, name = 'body'): void {
  check(value, [name])
}

/** Levels of a value whose entries are checked one by one by `checkingValue`. */
const STEPPED_LEVELS = 3

/** Like `checkValue`, in steps. */
export const checkingValue = (value: unknown, name = 'body'): Steps<void> =>
  checking(value, [name], STEPPED_LEVELS)

/** The names and indices that lead to a value, joined only for an error. */
type ValuePath = (string | number)[]

function* checking(value: unknown, place: ValuePath, levels: number): Steps<void> {
  if (levels === 0 || typeof value !== 'object' || value === null) return check(value, place)
  for (const name of namesIn(value)) {
    checkName(name, place)
    place.push(name)
    yield* checking(value[name as keyof typeof value], place, levels - 1)
    place.pop()
    yield
  }
}

function check(value: unknown, place: ValuePath): void {
  if (typeof value === 'string') checkTextAt(value, place)
  if (typeof value !== 'object' || value === null) return
  if (place.length > limits.jsonDepth) {
    throw new Invalid(`${pathOf(place)}: nested deeper than ${limits.jsonDepth}`)
  }
  for (const name of namesIn(value)) {
    checkName(name, place)
    place.push(name)
    check(value[name as keyof typeof value], place)
    place.pop()
  }
}

/** Names, since to list the entries of an object with very many takes three times as long. */
const namesIn = (value: object): Iterable<string | number> =>
  Array.isArray(value) ? value.keys() : Object.keys(value)

function checkName(name: string | number, place: ValuePath): void {
  if (typeof name === 'number') return
  if (name === '__proto__') {
    throw new Invalid(`${pathOf(place)}: __proto__ is not allowed as a name`)
  }
  checkTextAt(name, place)
}

function checkTextAt(text: string, place: readonly (string | number)[]): void {
  if (!text.isWellFormed() || CONTROL.test(text)) checkText(text, pathOf(place))
}

/** Formats a path as in `body.items[3].name`, with long names shortened. */
const pathOf = ([root, ...rest]: readonly (string | number)[]): string =>
  rest.reduce<string>((path, part) => {
    if (typeof part === 'number') return `${path}[${part}]`
    return `${path}.${part.length > limits.nameLength ? '…' : part}`
  }, String(root))
