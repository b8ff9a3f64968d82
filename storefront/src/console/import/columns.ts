import type { Mapping, Sample } from '../types.ts'
import { isNamed } from './fields.ts'

/** The mapping of a column. If `field` is null, the column is not imported. */
export interface Choice {
  readonly field: string | null
  /** Name of the attribute, facet, number or option; null for other fields. */
  readonly attribute: string | null
}

export interface Column {
  readonly index: number
  readonly heading: string
  readonly values: readonly string[]
  /** The mapping that an import uses by default. */
  readonly given: Choice
  /** Confidence of a guessed mapping from 0 to 1; null if it was not guessed. */
  readonly confidence: number | null
  /** A guess that is not confident enough to be applied automatically. */
  readonly perhaps: (Choice & { readonly confidence: number }) | null
}

/** The confidence from which an import applies its own guesses. */
const SURE = 0.8

/** The column is not imported. */
const NOTHING: Choice = { field: null, attribute: null }

export const isSame = (one: Choice, other: Choice): boolean =>
  one.field === other.field && (one.attribute ?? '') === (other.attribute ?? '')

/** The columns of a sample with their default mappings. */
export function columnsOf({ columns, mappings, becomes }: Sample): Column[] {
  const uses = new Map(becomes?.map((use) => [use.column, use]))
  const guesses = new Map(mappings.map((guess) => [guess.column, guess]))
  return columns.map(([heading = '', ...values], index) => {
    const guess = guesses.get(index)
    const use = uses.get(index)
    const given = use
      ? { field: use.field, attribute: use.attribute }
      : unseen(heading, guess, becomes !== undefined)
    const isGiven = guess !== undefined && isSame(guess, given)
    const isSure = isGiven && guess.confidence >= SURE
    return {
      ...{ index, heading, values, given },
      confidence: isSure ? guess.confidence : null,
      perhaps: guess && !isGiven ? guess : null,
    }
  })
}

/**
 * The mapping of a column that `becomes` does not list, because it comes after the last listed one
 * or the file has no headings.
 */
function unseen(
  heading: string,
  guess: (Choice & { readonly confidence: number }) | undefined,
  hasHeadings: boolean,
): Choice {
  if (guess && guess.confidence >= SURE) return { field: guess.field, attribute: guess.attribute }
  return hasHeadings && heading ? { field: 'attribute', attribute: heading } : NOTHING
}

/** The mappings to send; none if all columns keep their defaults. */
export function mappingsOf(columns: readonly Column[], choices: readonly Choice[]): Mapping[] {
  if (columns.every(({ given }, at) => isSame(given, choices[at]!))) return []
  return columns.flatMap(({ index }, at) => {
    const { field, attribute } = choices[at]!
    if (field === null) return []
    return [{ column: index, field, attribute: isNamed(field) ? attribute : null }]
  })
}

/** The new mapping of a column after the user selected another field. */
export function choiceOf(field: string, { heading }: Column, before: Choice): Choice {
  if (field === '') return NOTHING
  return { field, attribute: isNamed(field) ? before.attribute || heading : null }
}

/** The column that a problem at `mappings[n]` refers to; undefined for other problems. */
export function columnAt(place: string, mappings: readonly Mapping[]): number | undefined {
  const [, at] = /^mappings\[(\d{1,4})\]/.exec(place) ?? []
  return at === undefined ? undefined : mappings[Number(at)]?.column
}
