import { atOnce, type Steps } from '../platform/steps.ts'
import type { Manifest, OpenInstallation } from './contract.ts'

/** Replaces protected values in answers. */
const REDACTED = '[protected]'
/** Shorter values occur by chance in other text, such as part numbers. */
const SHORTEST = 6

type FieldTexts = Readonly<Record<string, unknown>> | undefined

/** The protected values of a call that are long enough to be looked for, each once. */
export function protectedValues(
  { fields }: Pick<Manifest, 'fields'>,
  { installed, request }: { installed: Pick<OpenInstallation, 'fields'>; request: unknown },
): string[] {
  const given = request as { additionalFields?: FieldTexts; additionalData?: FieldTexts } | null
  const sources: FieldTexts[] = [installed.fields, given?.additionalFields, given?.additionalData]
  const texts = fields
    .filter((field) => field.protected)
    .flatMap(({ field }) => sources.map((values) => values?.[field]))
    .filter((text) => typeof text === 'string')
    .filter(({ length }) => length >= SHORTEST)
  return [...new Set(texts)]
}

/** A value has at least this many forms: itself, and three in base64. */
export const LEAST_FORMS = 4

/** The forms of values in URLs, JSON, base64 and base64url, as in messages, longest first. */
export function* protectedTexts(values: readonly string[]): Steps<string[]> {
  const forms = new Set<string>()
  for (const text of values) {
    const inAddress = encodeURIComponent(text)
    forms.add(text).add(inAddress)
    yield
    forms.add(inAddress.replaceAll('%20', '+')).add(withLowerEscapes(inAddress))
    yield
    forms.add(JSON.stringify(text).slice(1, -1))
    for (const before of [0, 1, 2]) {
      yield
      const code = withinBase64(text, before)
      forms.add(code).add(code.replaceAll('+', '-').replaceAll('/', '_'))
    }
  }
  return [...forms].toSorted((a, b) => b.length - a.length)
}

const PERCENT = 0x25
/** The bit by which a lower-case letter differs. Digits have it as well. */
const LOWER = 0x20

/** A text of encodeURIComponent, with its escapes in lower case. */
function withLowerEscapes(inAddress: string): string {
  const bytes = Buffer.from(inAddress, 'latin1')
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] !== PERCENT) continue
    bytes[at + 1]! |= LOWER
    bytes[at + 2]! |= LOWER
  }
  return bytes.toString('latin1')
}

/** The base64 characters determined by the text alone when `before` bytes precede it. */
function withinBase64(text: string, before: number): string {
  const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(text)])
  const [first, end] = [Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6)]
  return bytes.toString('base64').slice(first, end)
}

/** A copy of the value in which the texts are redacted. */
export const redacted = (value: unknown, texts: readonly string[]): unknown =>
  atOnce(redacting(value, texts))

/** Like `redacted`, in steps, for large values or many texts. */
export function* redacting(value: unknown, texts: readonly string[]): Steps<unknown> {
  if (texts.length === 0) return value
  if (typeof value === 'string') return yield* hiding(value, texts)
  yield
  if (Array.isArray(value)) {
    const shown: unknown[] = []
    for (const item of value) shown.push(yield* redacting(item, texts))
    return shown
  }
  if (typeof value !== 'object' || value === null) return value
  const shown: [string, unknown][] = []
  for (const [name, item] of Object.entries(value)) {
    shown.push([name, yield* redacting(item, texts)])
  }
  return Object.fromEntries(shown)
}

/** Characters from which searching a text is a step of its own. */
const LONG = 1_000

function* hiding(text: string, texts: readonly string[]): Steps<string> {
  let shown = text
  for (const hidden of texts) {
    shown = hide(shown, hidden)
    if (text.length > LONG) yield
  }
  return shown
}

/** Like replaceAll, but linear in the sum of both lengths (Knuth, Morris and Pratt). */
function hide(text: string, hidden: string): string {
  if (hidden.length > text.length) return text
  const first = text.indexOf(hidden.slice(0, SHORTEST))
  if (first === -1) return text
  const borders = bordersOf(hidden)
  const pieces: string[] = []
  let [start, matched] = [0, 0]
  for (let at = first; at < text.length; at++) {
    matched = extended(hidden, borders, matched, text.charCodeAt(at))
    if (matched < hidden.length) continue
    pieces.push(text.slice(start, at + 1 - matched), REDACTED)
    start = at + 1
    matched = 0
  }
  return pieces.join('') + text.slice(start)
}

/** For each prefix of a text, the length of its longest proper border. */
function bordersOf(text: string): Uint32Array {
  const borders = new Uint32Array(text.length)
  let matched = 0
  for (let at = 1; at < text.length; at++) {
    matched = extended(text, borders, matched, text.charCodeAt(at))
    borders[at] = matched
  }
  return borders
}

/** How many characters of `text` are matched once `code` follows the first `matched` of them. */
function extended(text: string, borders: Uint32Array, matched: number, code: number): number {
  let length = matched
  while (length > 0 && text.charCodeAt(length) !== code) length = borders[length - 1]!
  return text.charCodeAt(length) === code ? length + 1 : length
}
