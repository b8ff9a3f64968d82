import { atOnce, type Steps } from '../platform/steps.ts'
import type { Manifest, OpenInstallation } from './contract.ts'

/** Replaces protected values in answers. */
const REDACTED = '[protected]'
/** Shorter values occur by chance in other text, such as part numbers. */
const SHORTEST = 6

type FieldTexts = Readonly<Record<string, unknown>> | undefined

/** The protected values of a call in all their encodings, longest first. */
export function protectedTexts(
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
  const forms = new Set(texts.flatMap(formsOf))
  return [...forms].toSorted((a, b) => b.length - a.length)
}

/** The forms of a text in URLs, JSON, base64 and base64url, as it may appear in a message. */
function formsOf(text: string): string[] {
  const inAddress = encodeURIComponent(text)
  const inBase64 = [0, 1, 2].map((before) => withinBase64(text, before))
  return [
    text,
    inAddress,
    inAddress.replaceAll('%20', '+'),
    inAddress.replace(/%../g, (code) => code.toLowerCase()),
    JSON.stringify(text).slice(1, -1),
    ...inBase64,
    ...inBase64.map((code) => code.replaceAll('+', '-').replaceAll('/', '_')),
  ]
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
