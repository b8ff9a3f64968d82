import type { Manifest, Opened } from './contract.ts'

/** What an answer has in the place of a protected value. */
const HIDDEN = '[protected]'
/** A shorter value may be part of anything, a part number for one. */
const SHORTEST = 6

type Values = Readonly<Record<string, unknown>> | undefined

/** The protected values that a call tells its extension, also as they are encoded, longest first. */
export function protectedIn(
  { fields }: Pick<Manifest, 'fields'>,
  { installed, request }: { installed: Pick<Opened, 'fields'>; request: unknown },
): string[] {
  const given = request as { additionalFields?: Values; additionalData?: Values } | null
  const sources: Values[] = [installed.fields, given?.additionalFields, given?.additionalData]
  const texts = fields
    .filter((field) => field.protected)
    .flatMap(({ field }) => sources.map((values) => values?.[field]))
    .filter((text) => typeof text === 'string')
    .filter(({ length }) => length >= SHORTEST)
  const forms = new Set(texts.flatMap(formsOf))
  return [...forms].toSorted((a, b) => b.length - a.length)
}

/** A text as it stands in addresses, in JSON and in base64, for one in a header that was sent. */
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

/** The characters of base64 that a text alone decides, with so many bytes before it. */
function withinBase64(text: string, before: number): string {
  const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(text)])
  const [first, end] = [Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6)]
  return bytes.toString('base64').slice(first, end)
}

/** The same value, its texts without these. */
export function withoutTexts(value: unknown, texts: readonly string[]): unknown {
  if (texts.length === 0) return value
  if (typeof value === 'string') {
    return texts.reduce((text, hidden) => text.replaceAll(hidden, HIDDEN), value)
  }
  if (Array.isArray(value)) return value.map((item) => withoutTexts(item, texts))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, withoutTexts(item, texts)]),
  )
}
