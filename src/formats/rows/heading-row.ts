import { fold } from '../../text.ts'

/** Rows of a letterhead that may stand above the headings. */
const LETTERHEAD = 20
/** Cells of a row that are looked at. */
const CELLS = 200

/** What the cells of a row name if it is a header: most of them are known headings. */
export function namedCells<T>(
  cells: readonly string[],
  nameOf: (cell: string) => T | undefined,
): readonly (T | undefined)[] | undefined {
  const filled = cells.filter((cell) => cell.trim() !== '')
  const named = cells.map(nameOf)
  const known = named.filter((name) => name !== undefined).length
  return known > 0 && known * 2 >= filled.length ? named : undefined
}

/** How headings are known. */
export interface KnownHeadings<T> {
  nameOf(cell: string): T | undefined
  /** Whether a product can be found by what is so called. */
  isFoundBy(name: T): boolean
}

const knownIn = <T>(cells: readonly string[], { nameOf }: KnownHeadings<T>): T[] =>
  (namedCells(cells.slice(0, CELLS), nameOf) ?? []).filter((name) => name !== undefined)

/** Whether a row below others begins a table: at least two known headings, one of them to find by. */
export function isTable<T>(cells: readonly string[], headings: KnownHeadings<T>): boolean {
  const known = knownIn(cells, headings)
  return known.length >= 2 && known.some(headings.isFoundBy)
}

/** The row with the headings of a table, below a letterhead or not; -1 where none is known. */
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

const SUMS = new Set(
  [
    'total subtotal grandtotal nettotal sum summe gesamt gesamtsumme gesamtbetrag zwischensumme nettosumme bruttosumme endsumme',
    'soustotal totaux totalgeneral totalht totalttc suma totale subtotale somma totaal subtotaal eindtotaal',
  ].flatMap((words) => words.split(' ')),
)
const CURRENCIES = /\b(?:eur|usd|chf|gbp)\b/g
const LETTER = /\p{L}/u
const NUMBER = /\p{N}/u
/** How the first word of a sum begins: what nearly every row does not. */
const BEGINNING =
  /^[^\p{L}]{0,4}(?:tot|sub|sous|grand|net|sum|som|gesamt|zwischen|brutto|end|eind|eur|usd|chf|gbp)/iu

/**
 * Whether a row adds up the others: a word for that, and nothing else but amounts. `identity`: the
 * columns that products are found by, where a sum has no number.
 */
export function isSum(cells: readonly string[], identity: readonly number[] = []): boolean {
  const first = cells.find((cell) => LETTER.test(cell))
  if (first === undefined || !BEGINNING.test(first)) return false
  const words = cells
    .map((cell) => fold(cell).replace(CURRENCIES, ''))
    .filter((cell) => LETTER.test(cell))
  // `Total: 1,234.00` has its amount behind the word.
  const [word, ...amounts] = words.join('').split(':')
  const isAlone = words.length === 1 && !LETTER.test(amounts.join(''))
  if (!isAlone || !SUMS.has(word!.replace(/[\s.-]/g, ''))) return false
  return !identity.some((at) => NUMBER.test(cells[at] ?? '') && !LETTER.test(cells[at]!))
}

/** Three words or more. */
const SENTENCE = /^\S+\s+\S+\s+\S/

/**
 * Whether a row says a sentence and nothing else, as below a table. It stands where products have what
 * tells them apart (`identity`), which is shorter.
 */
export function isRemark(cells: readonly string[], identity: readonly number[]): boolean {
  let at = -1
  for (const [index, cell] of cells.entries()) {
    if (cell.trim() === '') continue
    if (at !== -1) return false
    at = index
  }
  const said = cells[at]?.trim() ?? ''
  return identity.includes(at) && SENTENCE.test(said) && LETTER.test(said)
}
