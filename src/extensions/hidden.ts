import type { Manifest, Opened } from './contract.ts'

/** What an answer has in the place of a protected value. */
const HIDDEN = '[protected]'
/** A shorter value may be part of anything, a part number for one. */
const SHORTEST = 6

type Values = Readonly<Record<string, unknown>> | undefined

/** The protected values that a call tells its extension, longest first. Pure. */
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
  return texts.toSorted((a, b) => b.length - a.length)
}

/** The same value, its texts without these. Pure. */
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
