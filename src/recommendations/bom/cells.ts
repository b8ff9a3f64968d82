import { oneLine } from '../../platform/one-line.ts'
import { normalisePartNumber, withoutEnd } from '../../text.ts'
import { plainLine, withoutLabel } from './clean-line.ts'
import { type ColumnRole, type ColumnRoles, isNumberRole } from './columns.ts'
import { quantityIn, takeQuantity } from './quantity.ts'
import type { SheetRow } from './sheet.ts'

/** A cell that is not empty, with the role of its column. */
export interface Cell {
  readonly text: string
  readonly role: ColumnRole | undefined
}

/** The cells of a line without its quantity. */
export interface QuantifiedCells {
  readonly cells: readonly Cell[]
  /** The cells without quantities inside their texts, and without labels. */
  readonly asked: readonly Cell[]
  readonly quantity: number | undefined
}

/** Separates the quantity of a line from what it asks for. */
export function cellsOf(row: SheetRow, roles: ColumnRoles): QuantifiedCells {
  const cells = row.cells.flatMap((text, at): Cell[] => {
    const spaced = oneLine(text)
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
    const taken = quantity === undefined ? takeCellQuantity(cell) : undefined
    quantity ??= taken?.quantity
    return { ...cell, text: withoutLabel(taken?.quantity === undefined ? cell.text : taken.rest) }
  })
  return { cells: others, asked: left.filter(({ text }) => text !== ''), quantity }
}

/**
 * The position of the cell that is only a quantity, or -1. In a line whose cells have changed
 * places, it may be in any column.
 */
function quantityCell(cells: readonly Cell[]): number {
  // A price or a position is none, even if the column of quantities has no number.
  const isCount = ({ text, role }: Cell) => role !== 'other' && quantityIn(text) !== undefined
  const labelled = cells.findIndex((cell) => cell.role === 'quantity' && isCount(cell))
  if (labelled !== -1 || cells.length === 1) return labelled
  const swapped = cells.some(({ text, role }) => role === 'quantity' && mayBeNumber(text))
  const spelt = cells.findIndex((cell) => isCount(cell) && !/^[\d.,]+$/.test(cell.text))
  if (spelt !== -1 || !swapped) return spelt
  return cells.findIndex((cell) => isCount(cell) && cell.text.length <= SHORT_COUNT)
}

const SHORT_COUNT = 6
/** Texts such as `n/a` and `-2` in a quantity column are not part numbers in the wrong column. */
const mayBeNumber = (text: string): boolean => normalisePartNumber(text).length >= 4

function takeCellQuantity({ text, role }: Cell) {
  if (isNumberRole(role) || text.length > LONGEST_BARE) return takeQuantity(text)
  const bare = countBehind(text) ?? countBefore(text)
  return bare ? { rest: bare.rest, quantity: Number(bare.count) } : takeQuantity(text)
}

const LONGEST_BARE = 200

interface BareCount {
  readonly rest: string
  readonly count: string
}

/** `CB436A 3`, `CB436A: 3` and `CB436A (3)`: a number after a part number is a quantity. */
function countBehind(text: string): BareCount | undefined {
  const bracketed = / ?\(([1-9]\d{0,3})\)$/.exec(text)
  const [found, count] = bracketed ?? /([1-9]\d{0,3})$/.exec(text) ?? []
  if (found === undefined || !isNumbered(text)) return undefined
  const before = text.slice(0, -found.length)
  const rest = bracketed ? before : withoutMark(before)
  const isSeparate = bracketed !== null || rest !== before
  return isSeparate && /^\S{4,}$/.test(rest) ? { rest, count: count! } : undefined
}

function withoutMark(text: string): string {
  const unmarked = text.replace(/ ?[:=] ?$| [-–—] $/u, '')
  return unmarked === text ? withoutEnd(text, ' ,;') : unmarked
}

/** `3 CB436A toner`: a number before a part number is a quantity. */
function countBefore(text: string): BareCount | undefined {
  const [found, count] = /^([1-9]\d{0,3})[ ,;]+/.exec(text) ?? []
  const rest = text.slice(found?.length ?? 0)
  const isBefore = found !== undefined && /^\S{4}/.test(rest) && isNumbered(rest)
  return isBefore ? { rest, count: count! } : undefined
}

/** Whether the first word has digits and letters, like most part numbers. */
function isNumbered(text: string): boolean {
  const [word = ''] = text.split(' ', 1)
  return /\d/.test(word) && /\p{L}/u.test(word)
}
