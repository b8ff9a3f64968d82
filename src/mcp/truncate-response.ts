import { Invalid } from '../errors.ts'
import { limits } from '../limits.ts'

/** How much is kept of each part of an answer. */
interface AnswerSize {
  /** Entries of a top-level list, such as products. */
  readonly rows: number
  /** Entries of nested lists, and of maps such as facets with their values. */
  readonly entries: number
  /** Characters of a text. */
  readonly text: number
}

/** From sizes that nearly every answer has to sizes that nearly always fit. */
const MEASURES: readonly AnswerSize[] = [
  { rows: 500, entries: 500, text: 20_000 },
  { rows: 200, entries: 50, text: 2_000 },
  { rows: 50, entries: 20, text: 500 },
  { rows: 50, entries: 5, text: 60 },
  { rows: 10, entries: 3, text: 80 },
]

const NOTE =
  'This response was too long: … marks omitted parts. Request less, with a narrower search, a smaller pageSize or fewer lines.'

/**
 * The JSON of an answer as it is sent to a model. A long answer keeps the beginning of each part,
 * and the highest counts. Throws Invalid if even that is too long.
 */
export function truncateResponse(answer: object): string {
  for (const measure of MEASURES) {
    const cut = createCut(measure)
    const kept = cut.of(answer) as object
    if (cut.isTooLong()) continue
    const text = JSON.stringify(cut.isUsed() ? { shortened: NOTE, ...kept } : kept)
    if (text.length <= limits.toolCharacters) return text
  }
  throw new Invalid('The response is too long, even when shortened. Request less.')
}

function createCut({ rows, entries: deeper, text: characters }: AnswerSize) {
  let isUsed = false
  /** Characters at most that may still be kept. Once there are none, nothing more is looked at. */
  let left: number = limits.toolCharacters

  function first<T>(all: readonly T[], most: number, more: (rest: number) => T): readonly T[] {
    if (all.length <= most) return all
    isUsed = true
    return [...all.slice(0, most), more(all.length - most)]
  }

  function of(value: unknown, depth = 0, isRow = true): unknown {
    if (left < 0) return null
    if (typeof value === 'string') {
      left -= Math.min(value.length, characters)
      const more = value.length - characters
      if (more <= 0) return value
      isUsed = true
      return `${value.slice(0, characters)}… (${more} more characters)`
    }
    if (Array.isArray(value)) {
      const kept = first<unknown>(value, depth === 1 ? rows : deeper, (rest) => `… ${rest} more`)
      return kept.map((one) => of(one, depth + 1))
    }
    if (typeof value !== 'object' || value === null) return value
    // Rows have few fields, so all are kept. Other objects are maps.
    const most = isRow ? Infinity : deeper
    const kept = first<NamedValue>(highestFirst(Object.entries(value)), most, (rest) => [
      '…',
      `${rest} more`,
    ])
    return Object.fromEntries(
      kept.map(([name, one]) => {
        left -= name.length
        return [name, of(one, depth + 1, false)]
      }),
    )
  }

  return { of, isUsed: () => isUsed, isTooLong: () => left < 0 }
}

type NamedValue = [name: string, value: unknown]

const highestFirst = (entries: NamedValue[]): NamedValue[] =>
  entries.every(([, value]) => typeof value === 'number')
    ? entries.sort(([, a], [, b]) => (b as number) - (a as number))
    : entries
