import { normalisePartNumber, withoutEnd } from '../../text.ts'
import { type ColumnRole, type ColumnRoles, isNumberRole } from './columns.ts'
import { plainLine, withoutLabel } from './prose.ts'
import { quantityIn, takeQuantity } from './quantity.ts'
import type { SheetRow } from './sheet.ts'

/** A cell that says something, with what its column is called. */
export interface Cell {
  readonly text: string
  readonly role: ColumnRole | undefined
}

/** The cells of a line without its quantity. */
export interface QuantifiedCells {
  readonly cells: readonly Cell[]
  /** The same without the words that say how many. */
  readonly asked: readonly Cell[]
  readonly quantity: number | undefined
}

/** Tells what a line asks for from how many. */
export function cellsOf(row: SheetRow, roles: ColumnRoles): QuantifiedCells {
  const cells = row.cells.flatMap((text, at): Cell[] => {
    const spaced = text.replace(/\s+/g, ' ').trim()
    const tidy = row.cells.length === 1 ? plainLine(spaced) : spaced
    return tidy === '' ? [] : [{ text: tidy, role: roles[at] }]
  })
  const at = quantityCell(cells)
  const counted = at === -1 ? undefined : quantityIn(cells[at]!.text)
  const others = cells.filter(({ role }, index) => index !== at && role !== 'other')
  if (counted !== undefined) {
    const asked = others.map((cell) => ({ ...cell, text: withoutLabel(cell.text) }))
    return { cells: others, asked, quantity: counted }
  }
  let quantity: number | undefined
  const left = others.map((cell) => {
    const taken = quantity === undefined ? taking(cell) : undefined
    quantity ??= taken?.quantity
    return { ...cell, text: withoutLabel(taken?.quantity === undefined ? cell.text : taken.rest) }
  })
  return { cells: others, asked: left.filter(({ text }) => text !== ''), quantity }
}

/** The cell that is a quantity and nothing else; in a line whose cells changed places, any. */
function quantityCell(cells: readonly Cell[]): number {
  const isCount = ({ text }: Cell) => quantityIn(text) !== undefined
  const labelled = cells.findIndex((cell) => cell.role === 'quantity' && isCount(cell))
  if (labelled !== -1 || cells.length === 1) return labelled
  const swapped = cells.some(({ text, role }) => role === 'quantity' && mayBeNumber(text))
  const spelt = cells.findIndex((cell) => isCount(cell) && !/^[\d.,]+$/.test(cell.text))
  if (spelt !== -1 || !swapped) return spelt
  return cells.findIndex((cell) => isCount(cell) && cell.text.length <= SHORT_COUNT)
}

const SHORT_COUNT = 6
/** `n/a` and `-2` in a column of quantities did not come there from a column of numbers. */
const mayBeNumber = (text: string): boolean => normalisePartNumber(text).length >= 4

function taking({ text, role }: Cell) {
  if (isNumberRole(role) || text.length > LONGEST_BARE) return takeQuantity(text)
  const bare = countBehind(text) ?? countBefore(text)
  return bare ? { rest: bare.rest, quantity: Number(bare.count) } : takeQuantity(text)
}

const LONGEST_BARE = 200

interface BareCount {
  readonly rest: string
  readonly count: string
}

/** `CB436A 3`, `CB436A: 3` and `CB436A (3)`: a number beside a part number says how many. */
function countBehind(text: string): BareCount | undefined {
  const bracketed = / ?\(([1-9]\d{0,3})\)$/.exec(text)
  const [found, count] = bracketed ?? /([1-9]\d{0,3})$/.exec(text) ?? []
  if (found === undefined || !isNumbered(text)) return undefined
  const before = text.slice(0, -found.length)
  const rest = bracketed ? before : withoutMark(before)
  const isApart = bracketed !== null || rest !== before
  return isApart && /^\S{4,}$/.test(rest) ? { rest, count: count! } : undefined
}

function withoutMark(text: string): string {
  const unmarked = text.replace(/ ?[:=] ?$| [-–—] $/u, '')
  return unmarked === text ? withoutEnd(text, ' ,;') : unmarked
}

/** `3 CB436A toner` */
function countBefore(text: string): BareCount | undefined {
  const [found, count] = /^([1-9]\d{0,3})[ ,;]+/.exec(text) ?? []
  const rest = text.slice(found?.length ?? 0)
  const isBefore = found !== undefined && /^\S{4}/.test(rest) && isNumbered(rest)
  return isBefore ? { rest, count: count! } : undefined
}

/** The first word has digits and letters, as part numbers do. */
function isNumbered(text: string): boolean {
  const [word = ''] = text.split(' ', 1)
  return /\d/.test(word) && /\p{L}/u.test(word)
}
