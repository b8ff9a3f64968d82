import { fold, wordSet } from '../../text.ts'

/** Maximum number of letterhead rows above the headings. */
const LETTERHEAD = 20
/** Maximum number of cells of a row that are read. */
const CELLS = 200

/** The names in a row if it is a header, so that most of its cells are known headings. */
export function namedCells<T>(
  cells: readonly string[],
  nameOf: (cell: string) => T | undefined,
): readonly (T | undefined)[] | undefined {
  const filled = cells.filter((cell) => cell.trim() !== '')
  const named = cells.map(nameOf)
  const known = named.filter((name) => name !== undefined).length
  return known > 0 && known * 2 >= filled.length ? named : undefined
}

/** Recognizes headings. */
export interface KnownHeadings<T> {
  nameOf(cell: string): T | undefined
  /** Whether a product can be found by the values of this column. */
  isFoundBy(name: T): boolean
}

const knownIn = <T>(cells: readonly string[], { nameOf }: KnownHeadings<T>): T[] =>
  (namedCells(cells.slice(0, CELLS), nameOf) ?? []).filter((name) => name !== undefined)

/**
 * Whether a row below others begins a table: it has at least two known headings, one of them to
 * find products by.
 */
export function isTable<T>(cells: readonly string[], headings: KnownHeadings<T>): boolean {
  const known = knownIn(cells, headings)
  return known.length >= 2 && known.some(headings.isFoundBy)
}

/** The index of the header row, perhaps below a letterhead; -1 if no headings are known. */
export function headingRowAt<T>(
  rows: readonly (readonly string[])[],
  headings: KnownHeadings<T>,
): number {
  let best = { at: -1, known: 0 }
  for (const [at, cells] of rows.slice(0, LETTERHEAD).entries()) {
    const known = knownIn(cells, headings).length
    if (known > best.known && (at === 0 || isTable(cells, headings))) best = { at, known }
  }
  return best.at
}

const SUMS = wordSet(' ', [
  'total subtotal grandtotal nettotal sum summe gesamt gesamtsumme gesamtbetrag zwischensumme nettosumme bruttosumme endsumme',
  'soustotal totaux totalgeneral totalht totalttc suma totale subtotale somma totaal subtotaal eindtotaal',
])
/** Maximum number of characters of a heading of a list, and of each cell of a sum. */
export const HEADING_LENGTH = 100
const CURRENCIES = /\b(?:eur|usd|chf|gbp)\b/g
const LETTER = /\p{L}/u
const NUMBER = /\p{N}/u
/** Beginnings of the first word of a sum, which nearly all other rows lack. */
const BEGINNING =
  /^[^\p{L}]{0,4}(?:tot|sub|sous|grand|net|sum|som|gesamt|zwischen|brutto|end|eind|eur|usd|chf|gbp)/iu

/**
 * Whether a row is a sum: a word for it, and otherwise only amounts. `identity` are columns that
 * identify products, where a sum has no number.
 */
export function isSum(cells: readonly string[], identity: readonly number[] = []): boolean {
  const first = cells.find((cell) => LETTER.test(cell))
  if (first === undefined || !BEGINNING.test(first)) return false
  if (cells.some((cell) => cell.length > HEADING_LENGTH)) return false
  const words = cells
    .map((cell) => fold(cell).replace(CURRENCIES, ''))
    .filter((cell) => LETTER.test(cell))
  // `Total: 1,234.00` has its amount after the word.
  const [word, ...amounts] = words.join('').split(':')
  const isAlone = words.length === 1 && !LETTER.test(amounts.join(''))
  if (!isAlone || !SUMS.has(word!.replace(/[\s.-]/g, ''))) return false
  return !identity.some((at) => NUMBER.test(cells[at] ?? '') && !LETTER.test(cells[at]!))
}
