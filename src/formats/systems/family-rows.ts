import { detachedText } from '../../text.ts'
import type { RowValues } from '../rows/named-values.ts'
import type { RawRow, RowText } from '../rows/raw-row.ts'
import { type Layout, valuesOf } from './layout.ts'
import type { Families, RowRole, RowTexts } from './system.ts'

/** The content of an assembled row's text: its cells, and the values of its product. */
interface FamilyText {
  readonly cells: readonly string[]
  readonly values: RowValues
}

export const familyText = ({ text }: RowText): FamilyText => JSON.parse(text) as FamilyText

export const writeFamilyText = (cells: readonly string[], values: RowValues): string =>
  JSON.stringify({ cells, values } satisfies FamilyText)

/** A parsed row of the file. */
export interface Line {
  readonly line: number
  readonly cells: readonly string[]
  readonly said: RowTexts
  readonly length: number
}

/** Bytes of memory that a value takes besides its characters, and an empty cell. */
const VALUE = 100
const CELL = 8

/** Bytes of memory that a kept row takes besides its characters. */
export function memoryOf(said: RowTexts, cells: readonly string[] = []): number {
  let values = 0
  for (const _ in said) values++
  return values * VALUE + cells.length * CELL
}

/**
 * Problems of rows. `orphan`: no head before a variant; `late`: a variant after its head had to
 * become a product; `nothing`: no product; `missing`: no row of a listed variant; `repeated`: an id
 * of an earlier row.
 */
export type RowProblem = 'orphan' | 'late' | 'nothing' | 'missing' | 'repeated'

export interface Gatherer {
  /** Adds a row and returns the rows that it completes. */
  add(line: Line, role: RowRole): Iterable<RawRow>
  end(): Iterable<RawRow>
}

export type FamiliesOf<S> = Extract<Families, { stand: S }>

/** Makes a product's row from a row of the file and the values of its family. */
export type MakeRow = (line: Line, more?: Parameters<typeof valuesOf>[2]) => RawRow

export const idOf = ({ values }: RowValues): string =>
  values.find(([field]) => field === 'id')?.[1] ?? ''

/** Number of ids that are remembered to detect repeated rows. */
const REMEMBERED = 100_000

/** Makes rows, and reports repeated products. */
export function rowMaker(layout: Layout, lost: (kind: RowProblem) => void): MakeRow {
  const ids = new Set<string>()
  return ({ line, cells, said }, more) => {
    const values = valuesOf(layout, said, more)
    const id = idOf(values)
    if (ids.has(id)) lost('repeated')
    else if (id !== '' && ids.size < REMEMBERED) ids.add(detachedText(id))
    return { line, text: writeFamilyText(cells, values) }
  }
}

/** The values of a row, completed by those of its head, except for names that match `own`. */
export function withInherited(said: RowTexts, head: RowTexts, own: RegExp): RowTexts {
  const all: Record<string, string | undefined> = Object.assign(Object.create(null), said)
  for (const name in head) if (all[name] === undefined && !own.test(name)) all[name] = head[name]
  return all
}
