import type { RowValues } from '../rows/named-values.ts'
import type { RawRow, RowText } from '../rows/raw-row.ts'
import { type Layout, valuesOf } from './layout.ts'
import { createSeenIds } from './met-ids.ts'
import type { Families, RowRole, Said } from './system.ts'

/** A row of a product as text: its cells, and the values of the product that it becomes. */
interface FamilyText {
  readonly cells: readonly string[]
  readonly values: RowValues
}

export const familyText = ({ text }: RowText): FamilyText => JSON.parse(text) as FamilyText

export const textOf = (cells: readonly string[], values: RowValues): string =>
  JSON.stringify({ cells, values } satisfies FamilyText)

/** A row of the file, read. */
export interface Line {
  readonly line: number
  readonly cells: readonly string[]
  readonly said: Said
  readonly length: number
}

/**
 * What rows lack: `orphan`, a variant its head before it; `late`, a head its variants before it had to
 * be a product; `nothing`, a product; `missing`, a listed variant a row of its own; `repeated`, an id of
 * its own.
 */
export type Lost = 'orphan' | 'late' | 'nothing' | 'missing' | 'repeated'

export interface Gatherer {
  /** The rows that are whole with this one. */
  add(line: Line, role: RowRole): Iterable<RawRow>
  end(): Iterable<RawRow>
}

export type FamiliesOf<S> = Extract<Families, { stand: S }>

/** Makes a row of what one of the file, with what it has of its family, says. */
export type MakeRow = (line: Line, more?: Parameters<typeof valuesOf>[2]) => RawRow

export const idOf = ({ values }: RowValues): string =>
  values.find(([field]) => field === 'id')?.[1] ?? ''

/** Tells of rows whose product an earlier one was. */
export function rowMaker(layout: Layout, lost: (kind: Lost) => void): MakeRow {
  const ids = createSeenIds()
  return ({ line, cells, said }, more) => {
    const values = valuesOf(layout, said, more)
    if (ids.isSeen(idOf(values))) lost('repeated')
    return { line, text: textOf(cells, values) }
  }
}

/** What a row says, and where it says nothing what its head does. */
export function carried(said: Said, head: Said, own: RegExp): Said {
  const all: Record<string, string | undefined> = Object.assign(Object.create(null), said)
  for (const name in head) if (all[name] === undefined && !own.test(name)) all[name] = head[name]
  return all
}
