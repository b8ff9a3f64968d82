import type { ShopSystem } from '../systems/system.ts'
import { systemOf } from '../systems/systems.ts'
import { type FieldTarget, targetName } from './fields.ts'
import { headingRowAt, type KnownHeadings } from './heading-row.ts'
import { bySpelling } from './suggest.ts'

/** Numbers of rows that are searched for headings, and of characters in a heading. */
const ROWS = 20
const LONGEST = 100

/** Fields that identify products. */
export const IDENTITY = new Set(['id', 'manufacturerPartNumber', 'upcs', 'vendor.vendorPartNumber'])

const IMPORTED: KnownHeadings<FieldTarget> = {
  nameOf: (cell) => (cell.length > LONGEST ? undefined : bySpelling(cell)?.target),
  isFoundBy: (target) => ['name', ...IDENTITY].includes(targetName(target)),
}

const isIdentity = (heading: string): boolean => {
  const target = IMPORTED.nameOf(heading)
  return target !== undefined && IDENTITY.has(targetName(target))
}

/** The headings of a table, and where they were found. */
export interface FoundHeadings {
  readonly headings: readonly string[]
  /** Index of the header row, from 0. */
  readonly at: number
  /** Index of the first row below. */
  readonly below: number
  /** The shop or catalog system with these headings. */
  readonly system?: ShopSystem | undefined
}

/** Whether the first rows of a table have known headings. */
export const hasHeadings = (rows: readonly (readonly string[])[]): boolean =>
  systemAt(rows) !== undefined || headingRowAt(rows, IMPORTED) !== -1

function systemAt(rows: readonly (readonly string[])[]): FoundHeadings | undefined {
  for (const [at, headings] of rows.slice(0, ROWS).entries()) {
    const system = systemOf(headings)
    if (system) return { headings, at, below: at + 1, system }
  }
  return undefined
}

/** The headings of a table, perhaps below a letterhead; the first row if none are known. */
export function findHeadings(rows: readonly (readonly string[])[]): FoundHeadings {
  const found = systemAt(rows)
  if (found) return found
  const at = headingRowAt(rows, IMPORTED)
  if (at === -1) return { headings: rows[0] ?? [], at: 0, below: 1 }
  const headings = rows[at]!
  const above = rows[at - 1]
  const below = rows[at + 1]
  if (below && isSecondRow(below, headings)) {
    const upper = carriedOn(headings, below)
    return { headings: joined(upper, below), at, below: at + 2 }
  }
  // If cells are merged with those above, the text is above.
  const isGrouped = above !== undefined && above.filter((cell) => cell.trim() !== '').length > 1
  return { headings: isGrouped ? filledFrom(headings, above) : headings, at, below: at + 1 }
}

/** Whether a row subdivides headings that are merged over several columns, unlike any product. */
function isSecondRow(cells: readonly string[], headings: readonly string[]): boolean {
  const isSaid = (at: number) => (headings[at] ?? '').trim() !== ''
  const filled = [...cells.keys()].filter((at) => cells[at]!.trim() !== '')
  return (
    filled.some((at) => !isSaid(at)) &&
    filled.every((at) => {
      const isMerged = !isSaid(at) || (at + 1 < cells.length && !isSaid(at + 1))
      return isMerged && !/\d/.test(cells[at]!) && !isIdentity(headings[at] ?? '')
    })
  )
}

/** Repeats the headings of merged cells in each of their columns. */
const carriedOn = (headings: readonly string[], below: readonly string[]): string[] => {
  let last = ''
  return Array.from({ length: Math.max(headings.length, below.length) }, (_, at) => {
    const own = headings[at]?.trim() ?? ''
    if (own !== '') last = own
    return own !== '' || (below[at] ?? '').trim() === '' ? own : last
  })
}

const joined = (upper: readonly string[], lower: readonly string[]): string[] =>
  Array.from({ length: Math.max(upper.length, lower.length) }, (_, at) =>
    `${upper[at] ?? ''} ${lower[at] ?? ''}`.trim(),
  )

const filledFrom = (headings: readonly string[], above: readonly string[]): string[] =>
  headings.map((heading, at) => (heading.trim() === '' ? (above[at] ?? '').trim() : heading))
