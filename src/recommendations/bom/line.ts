import { Invalid } from '../../errors.ts'
import { headingRowAt, isSum, isTable } from '../../formats/rows/heading-row.ts'
import { limits } from '../../limits.ts'
import type { Steps } from '../../platform/steps.ts'
import { distinct, type Word, wordsOf } from '../../search/understanding/words.ts'
import { type Cell, cellsOf } from './cells.ts'
import { type ColumnRoles, guessedRoles, headerRoles, isNumberRole, LISTED } from './columns.ts'
import { type Identifier, identifiersInCells, identifiersInText, unique } from './identifiers.ts'
import type { Makers } from './makers.ts'
import { type SheetRow, tooManyLines } from './sheet.ts'

/** The manufacturer that a line names. */
interface MakerForms {
  /** Normalized names; a text may have several. */
  readonly forms: readonly string[]
  /** Whether it is a whole cell or begins the line, and so is not just a compatible brand. */
  readonly stated: boolean
  /** Whether it is in the catalog, or well known. */
  readonly known: boolean
  /** The cell in which it was found, which may be a part number as a whole. */
  readonly inside?: string
}

/** A parsed line of a list. */
export interface AskedLine {
  readonly line: number
  readonly text: string
  readonly quantity: number | undefined
  readonly identifiers: readonly Identifier[]
  readonly maker: MakerForms | undefined
  /** Whether its list has a column of numbers. */
  readonly numbered: boolean
  /** The words of the line, without quantity and manufacturer. */
  readonly words: readonly Word[]
}

/** A list whose lines are not parsed yet, which takes long for many. */
export interface UnreadList {
  readonly rows: readonly SheetRow[]
  readonly roles: ColumnRoles
}

/** A list without headers and sums. Columns have the roles of the header, or guessed ones. */
export function* listOf(rows: readonly SheetRow[]): Steps<UnreadList> {
  const at = headingRowAt(
    rows.map(({ cells }) => cells),
    LISTED,
  )
  const named = at === -1 ? [] : (headerRoles(rows[at]!.cells) ?? [])
  const numbers = [...named.keys()].filter((column) => isNumberRole(named[column]))
  const listed: SheetRow[] = []
  for (const row of rows.slice(at + 1)) {
    if (!isTable(row.cells, LISTED) && !isSum(row.cells, numbers)) listed.push(row)
    yield
  }
  if (at !== -1) return { rows: listed, roles: named }
  return { rows: listed, roles: guessedRoles(listed.map(({ cells }) => cells)) }
}

/** Like `listOf`. Throws Invalid for a list without lines, or with too many. */
export function* checkedList(rows: readonly SheetRow[]): Steps<UnreadList> {
  const list = yield* listOf(rows)
  if (list.rows.length === 0) throw new Invalid('The list has no lines.')
  if (list.rows.length > limits.recommendationLines) throw tooManyLines()
  return list
}

/** Parses a line. */
export function lineOf(row: SheetRow, roles: ColumnRoles, makers: Makers): AskedLine {
  const { cells, quantity, asked } = cellsOf(row, roles)
  const { maker, rest, parts } = makerOf(asked, makers)
  const description = textOf(rest).slice(0, MAX_TEXT)
  const telling = [...parts, ...asked, ...cells].filter(
    ({ text }) => cells.length === 1 || !makers.known(text),
  )
  return {
    line: row.line,
    text: textOf(cells).slice(0, limits.valueLength),
    quantity,
    // A part number may contain what looks like a quantity or a manufacturer.
    identifiers: unique([...identifiersInCells(telling), ...identifiersInText(description)]),
    maker,
    numbered: roles.some(isNumberRole),
    words: distinct(wordsOf(description)),
  }
}

const textOf = (cells: readonly Cell[]): string => cells.map(({ text }) => text).join(' ')

/** Maximum number of characters of a line that are split into words. */
const MAX_TEXT = 1_000

interface NamedMaker {
  readonly maker: MakerForms | undefined
  /** The cells without the manufacturer. */
  readonly rest: readonly Cell[]
  /** The texts beside each manufacturer that the cell may name. */
  readonly parts: readonly Cell[]
}

/** The manufacturer of a line: a cell that names one, or words of a cell. */
function makerOf(cells: readonly Cell[], makers: Makers): NamedMaker {
  const isOne = ({ text, role }: Cell) => role !== 'gtin' && makers.known(text)
  const whole =
    cells.find((cell) => cell.role === 'manufacturer' && isOne(cell)) ?? cells.find(isOne)
  if (whole && cells.length > 1) {
    const form = makers.form(whole.text)
    const rest = cells
      .filter((cell) => cell !== whole)
      .flatMap((cell) => withoutMaker(cell, makers, form))
    return { maker: { forms: [form], stated: true, known: true }, rest, parts: rest }
  }
  for (const cell of cells) {
    const named = makers.within(cell.text)
    const [first] = named
    if (!first) continue
    const without = ({ parts }: { parts: readonly string[] }) =>
      parts.map((text) => ({ ...cell, text }))
    const forms = named.map(({ form }) => form)
    return {
      maker: { forms, stated: first.first, known: true, inside: cell.text },
      rest: cells.flatMap((one) => (one === cell ? without(first) : [one])),
      parts: [
        ...named.flatMap(without),
        // Some part numbers begin with the manufacturer, such as `Epson EMP-830`.
        ...without(first).map((part) => ({ ...part, text: `${first.form} ${part.text}` })),
        ...cells.filter((one) => one !== cell),
      ],
    }
  }
  const unknownMaker = cells.find(({ role }) => role === 'manufacturer')
  const maker = unknownMaker && {
    forms: [makers.form(unknownMaker.text)],
    stated: true,
    known: false,
  }
  return { maker, rest: cells, parts: cells }
}

function withoutMaker(cell: Cell, makers: Makers, maker: string): Cell[] {
  const found = makers.within(cell.text).find(({ form }) => form === maker)
  return found ? found.parts.map((text) => ({ ...cell, text })) : [cell]
}
