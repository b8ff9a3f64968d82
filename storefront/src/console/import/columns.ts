import type { Mapping, Sample } from '../types.ts'
import { isNamed } from './fields.ts'

/** What a column becomes; `field` null: it is left out. */
export interface Choice {
  readonly field: string | null
  /** Name of the attribute, facet, number or option; null for other fields. */
  readonly attribute: string | null
}

export interface Column {
  readonly index: number
  readonly heading: string
  readonly values: readonly string[]
  /** What an import makes of it without being told. */
  readonly given: Choice
  /** How surely that was recognised, 0 to 1; null where it was not guessed. */
  readonly confidence: number | null
  /** A guess that is too weak to be followed unasked. */
  readonly perhaps: (Choice & { readonly confidence: number }) | null
}

/** From here on an import follows its own guesses. */
const SURE = 0.8

/** Left out. */
const NOTHING: Choice = { field: null, attribute: null }

export const isSame = (one: Choice, other: Choice): boolean =>
  one.field === other.field && (one.attribute ?? '') === (other.attribute ?? '')

/** The columns of a sample, each with what becomes of it. */
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

/** Of a column that the sample says nothing about: those behind the last that it lists, or without headings. */
function unseen(
  heading: string,
  guess: (Choice & { readonly confidence: number }) | undefined,
  hasHeadings: boolean,
): Choice {
  if (guess && guess.confidence >= SURE) return { field: guess.field, attribute: guess.attribute }
  return hasHeadings && heading ? { field: 'attribute', attribute: heading } : NOTHING
}

/** What is sent of the choices: nothing as long as the file is taken as it explains itself. */
export function mappingsOf(columns: readonly Column[], choices: readonly Choice[]): Mapping[] {
  if (columns.every(({ given }, at) => isSame(given, choices[at]!))) return []
  return columns.flatMap(({ index }, at) => {
    const { field, attribute } = choices[at]!
    if (field === null) return []
    return [{ column: index, field, attribute: isNamed(field) ? attribute : null }]
  })
}

/** What is chosen for a column when another field is picked. */
export function choiceOf(field: string, { heading }: Column, before: Choice): Choice {
  if (field === '') return NOTHING
  return { field, attribute: isNamed(field) ? before.attribute || heading : null }
}

/** The column that a problem of a mapping is about; undefined where it is about none. */
export function columnAt(place: string, mappings: readonly Mapping[]): number | undefined {
  const [, at] = /^mappings\[(\d{1,4})\]/.exec(place) ?? []
  return at === undefined ? undefined : mappings[Number(at)]?.column
}
