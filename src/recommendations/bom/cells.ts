import { normalisePartNumber } from '../../text.ts'
import { isNumberRole, type Role, type Roles } from './columns.ts'
import { plainLine, withoutLabel } from './prose.ts'
import { quantityIn, takeQuantity } from './quantity.ts'
import type { SheetRow } from './sheet.ts'

/** A cell that says something, with what its column is called. */
export interface Cell {
  readonly text: string
  readonly role: Role | undefined
}

/** The cells of a line without its quantity. */
export interface Counted {
  readonly cells: readonly Cell[]
  /** The same without the words that say how many. */
  readonly asked: readonly Cell[]
  readonly quantity: number | undefined
}

/** Tells what a line asks for from how many. Pure. */
export function cellsOf(row: SheetRow, roles: Roles): Counted {
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
  const bare = BARE_COUNT.map((pattern) => pattern.exec(text)).find((found) => found !== null)
  const quantity = bare?.groups ? quantityIn(bare.groups.count!) : undefined
  return quantity === undefined ? takeQuantity(text) : { rest: bare!.groups!.rest!, quantity }
}

const LONGEST_BARE = 200
const NUMBERED = String.raw`(?=\S*\d)(?=\S*\p{L})\S{4,}`
const COUNT = String.raw`(?<count>[1-9]\d{0,3})`
/** `CB436A 3`, `CB436A (3)` and `3 CB436A toner`: a number beside a part number says how many. */
const BARE_COUNT = [
  new RegExp(`^(?<rest>${NUMBERED}?)(?:[ ,;]+| ?[:=] ?| [-–—] )${COUNT}$`, 'u'),
  new RegExp(`^(?<rest>${NUMBERED}) ?\\(${COUNT}\\)$`, 'u'),
  new RegExp(`^${COUNT}[ ,;]+(?<rest>${NUMBERED}(?: .*)?)$`, 'u'),
]
