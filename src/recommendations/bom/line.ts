import { limits } from '../../limits.ts'
import { runsOf, type Word, wordsOf } from '../../search/keywords.ts'
import { normalisePartNumber, partNumberForms } from '../../text.ts'
import { guessedRoles, headerRoles, type Role, type Roles } from './columns.ts'
import type { Makers } from './makers.ts'
import { quantityIn, takeQuantity } from './quantity.ts'
import type { SheetRow } from './sheet.ts'

/** A text of a line that may name a product. */
export interface Identifier {
  readonly text: string
  /** As it is indexed: normalised, and without leading zeros. */
  readonly forms: readonly string[]
  /** What its column is called. */
  readonly role: Role | undefined
  /** It is a whole cell or line, or all beside the manufacturer; else it was found among words. */
  readonly stated: boolean
  /** It stands behind words such as `for`: the line's product goes with it. */
  readonly reference: boolean
}

/** The manufacturer that a line names. */
export interface Maker {
  /** As it is compared; a text may name several. */
  readonly forms: readonly string[]
  /** It has a cell of its own, or begins the line: it is not what the product goes with. */
  readonly stated: boolean
  /** It is one of the catalog, or a well-known one. */
  readonly known: boolean
  /** The cell inside which it was found, which may be a part number as a whole. */
  readonly inside?: string
}

/** One line of a list, understood. */
export interface AskedLine {
  readonly line: number
  readonly text: string
  readonly quantity: number | undefined
  readonly identifiers: readonly Identifier[]
  readonly maker: Maker | undefined
  /** What is asked for in words, without quantity and manufacturer. */
  readonly words: readonly Word[]
}

/** The lines of a list: roles of its columns by a header or by the contents. Pure. */
export function linesOf(rows: readonly SheetRow[], makers: Makers): AskedLine[] {
  const [first, ...rest] = rows
  const header = first && headerRoles(first.cells)
  const roles = header ?? guessedRoles(rows.map(({ cells }) => cells))
  return (header ? rest : rows).map((row) => lineOf(row, roles, makers))
}

interface Cell {
  readonly text: string
  readonly role: Role | undefined
}

/** Cells that say something: as they are, and without the words that say how many. */
function cellsOf(row: SheetRow, roles: Roles) {
  const cells = row.cells.flatMap((text, at): Cell[] => {
    const tidy = text.replace(/\s+/g, ' ').trim()
    return tidy === '' ? [] : [{ text: tidy, role: roles[at] }]
  })
  const at = quantityCell(cells)
  const counted = at === -1 ? undefined : quantityIn(cells[at]!.text)
  const others = cells.filter(({ role }, index) => index !== at && role !== 'other')
  if (counted !== undefined) return { cells: others, asked: others, quantity: counted }
  let quantity: number | undefined
  const left = others.map((cell) => {
    const taken = quantity === undefined ? taking(cell) : undefined
    quantity ??= taken?.quantity
    return taken?.quantity === undefined ? cell : { ...cell, text: taken.rest }
  })
  return { cells: others, asked: left.filter(({ text }) => text !== ''), quantity }
}

/** The cell that is a quantity and nothing else; in a line whose cells changed places, any. */
function quantityCell(cells: readonly Cell[]): number {
  const isCount = ({ text }: Cell) => quantityIn(text) !== undefined
  const labelled = cells.findIndex((cell) => cell.role === 'quantity' && isCount(cell))
  if (labelled !== -1 || cells.length === 1) return labelled
  const swapped = cells.some(({ role }) => role === 'quantity')
  const spelt = cells.findIndex((cell) => isCount(cell) && !/^[\d.,]+$/.test(cell.text))
  if (spelt !== -1 || !swapped) return spelt
  return cells.findIndex((cell) => isCount(cell) && cell.text.length <= SHORT_COUNT)
}

const SHORT_COUNT = 6

function taking({ text, role }: Cell) {
  if (isNumberRole(role)) return takeQuantity(text)
  const bare = BARE_COUNT.map((pattern) => pattern.exec(text)).find((found) => found !== null)
  const quantity = bare?.groups ? quantityIn(bare.groups.count!) : undefined
  return quantity === undefined ? takeQuantity(text) : { rest: bare!.groups!.rest!, quantity }
}

const NUMBERED = String.raw`(?=\S*\d)(?=\S*\p{L})\S{4,}`
/** `CB436A 3`, `3 CB436A` and `3 CB436A toner`: a number beside a part number says how many. */
const BARE_COUNT = [
  new RegExp(`^(?<rest>${NUMBERED})[ ,;]+(?<count>\\d{1,4})$`, 'u'),
  new RegExp(`^(?<count>\\d{1,4})[ ,;]+(?<rest>${NUMBERED}(?: .*)?)$`, 'u'),
]

function lineOf(row: SheetRow, roles: Roles, makers: Makers): AskedLine {
  const { cells, quantity, asked } = cellsOf(row, roles)
  const { maker, rest, parts } = makerOf(asked, makers)
  const said = rest
    .map(({ text }) => text)
    .join(' ')
    .slice(0, TEXT)
  const telling = [...parts, ...asked, ...cells].filter(
    ({ text }) => cells.length === 1 || !makers.known(text),
  )
  return {
    line: row.line,
    text: cells
      .map(({ text }) => text)
      .join(' ')
      .slice(0, limits.valueLength),
    quantity,
    // A part number may contain what looks like a quantity or a manufacturer.
    identifiers: unique([...statedIn(telling), ...foundIn(said)]),
    maker,
    words: wordsOf(said),
  }
}

/** Characters of a line that are looked at for words. */
const TEXT = 1_000

interface Told {
  readonly maker: Maker | undefined
  /** The cells without it. */
  readonly rest: readonly Cell[]
  /** What stands beside it, also by other names of a text. */
  readonly parts: readonly Cell[]
}

/** The manufacturer: a cell that is one, else words of a text. */
function makerOf(cells: readonly Cell[], makers: Makers): Told {
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
      parts: [...named.flatMap(without), ...cells.filter((one) => one !== cell)],
    }
  }
  const stranger = cells.find(({ role }) => role === 'manufacturer')
  const maker = stranger && { forms: [makers.form(stranger.text)], stated: true, known: false }
  return { maker, rest: cells, parts: cells }
}

function withoutMaker(cell: Cell, makers: Makers, maker: string): Cell[] {
  const found = makers.within(cell.text).find(({ form }) => form === maker)
  return found ? found.parts.map((text) => ({ ...cell, text })) : [cell]
}

const PRICE = /^[^\p{L}\d]*\d[\d.,]*[.,]\d{2}\s*(?:€|\$|£|eur|usd|chf|gbp)?$/iu
const WHOLE_NUMBER = /^(\d+)\.0+$/

/** A whole cell may be an identifier, whatever its column is called: cells change places. */
function statedIn(cells: readonly Cell[]): Identifier[] {
  const stated = cells.flatMap(({ text, role }): Identifier[] => {
    if (!isNumberRole(role) && PRICE.test(text)) return []
    const forms = partNumberForms(text.replace(WHOLE_NUMBER, '$1'))
    return forms.length === 0 ? [] : [{ text, forms, role, stated: true, reference: false }]
  })
  // Of two cells that say the same the one in a column of numbers tells more.
  return stated.toSorted((a, b) => Number(isNumberRole(b.role)) - Number(isNumberRole(a.role)))
}

/** Columns of identifiers. */
export const isNumberRole = (role: Role | undefined): boolean =>
  role === 'partNumber' || role === 'vendorPartNumber' || role === 'gtin'

const REFERENCE = new Set(
  'for für fuer f compatible kompatibel passend replaces ersetzt like wie zu'.split(' '),
)
const REFERENCE_WORDS = 4
/** Longest beginning of a text that is looked at as one identifier. */
const LEADING_WORDS = 24
const SHORTEST = 4
const SHORTEST_DIGITS = 5
const SHORTEST_PHRASE = 8

/** Identifiers among words: one word, some that were torn apart, or the beginning of the text. */
function foundIn(text: string): Identifier[] {
  const words = text.split(' ').map((word) => ({ text: word, form: normalisePartNumber(word) }))
  const spans = [
    ...words.map((_, at) => ({ first: at, last: at })),
    ...runsOf(words),
    ...words.slice(1, LEADING_WORDS).map((_, at) => ({ first: 0, last: at + 1 })),
  ]
  return spans
    .map(({ first, last }): Identifier => {
      const span = words.slice(first, last + 1)
      const before = words.slice(Math.max(0, first - REFERENCE_WORDS), first)
      return {
        text: span.map((word) => word.text).join(' '),
        forms: partNumberForms(span.map(({ form }) => form).join('')),
        role: undefined,
        stated: false,
        reference: before.some(({ form }) => REFERENCE.has(form)),
      }
    })
    .filter((one) => isLikely(one.forms[0] ?? '') || isPhrase(one.text, one.forms[0] ?? ''))
}

const isLikely = (form: string): boolean =>
  /\p{N}/u.test(form) && form.length >= (/^\p{N}+$/u.test(form) ? SHORTEST_DIGITS : SHORTEST)

/** Some products have a name for a part number. */
const isPhrase = (text: string, form: string): boolean =>
  text.includes(' ') && form.length >= SHORTEST_PHRASE

/** The first of those with the same form: what is stated comes first. */
function unique(identifiers: readonly Identifier[]): Identifier[] {
  const seen = new Set<string>()
  return identifiers.filter(({ forms }) => !seen.has(forms[0]!) && seen.add(forms[0]!))
}
