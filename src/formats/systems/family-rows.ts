import { detachedText } from '../../text.ts'
import type { RowValues } from '../rows/named-values.ts'
import type { RawRow, RowText } from '../rows/raw-row.ts'
import { type Layout, valuesOf } from './layout.ts'
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

/** Ids remembered to detect repeated rows. */
const REMEMBERED = 100_000

/** Makes rows, and reports those whose product an earlier row had. */
export function rowMaker(layout: Layout, lost: (kind: Lost) => void): MakeRow {
  const ids = new Set<string>()
  return ({ line, cells, said }, more) => {
    const values = valuesOf(layout, said, more)
    const id = idOf(values)
    if (ids.has(id)) lost('repeated')
    else if (id !== '' && ids.size < REMEMBERED) ids.add(detachedText(id))
    return { line, text: textOf(cells, values) }
  }
}

/** The values of a row, completed by those of its head. */
export function carried(said: Said, head: Said, own: RegExp): Said {
  const all: Record<string, string | undefined> = Object.assign(Object.create(null), said)
  for (const name in head) if (all[name] === undefined && !own.test(name)) all[name] = head[name]
  return all
}
