import type { RowValues } from '../rows/named-values.ts'
import type { RawRow, RowText } from '../rows/raw-row.ts'
import { type Layout, valuesOf } from './layout.ts'
import type { Families, Role, Said } from './system.ts'

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
 * be a product; `nothing`, a product; `missing`, a listed variant a row of its own.
 */
export type Lost = 'orphan' | 'late' | 'nothing' | 'missing'

export interface Gatherer {
  /** The rows that are whole with this one. */
  add(line: Line, role: Role): Iterable<RawRow>
  end(): Iterable<RawRow>
}

export type Family<S> = Extract<Families, { stand: S }>

export const rowOf = (
  layout: Layout,
  { line, cells, said }: Line,
  more: Parameters<typeof valuesOf>[2],
) => ({
  line,
  text: textOf(cells, valuesOf(layout, said, more)),
})

/** What a row says, and where it says nothing what its head does. */
export function carried(said: Said, head: Said, own: RegExp): Said {
  const all: Record<string, string | undefined> = Object.assign(Object.create(null), said)
  for (const name in head) if (all[name] === undefined && !own.test(name)) all[name] = head[name]
  return all
}
