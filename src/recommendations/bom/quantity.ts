import { limits } from '../../limits.ts'

const NUMBER = String.raw`\d{1,3}(?:[.,]\d{3})+|\d+(?:[.,]\d{1,2})?`
const UNIT = String.raw`(?:stk|stck|stücke?|stueck|st|pcs?|pieces?|ea|each|units?|einheiten|nos?)\b\.?`
const NAME = String.raw`(?:qty|quantity|menge|anzahl|stückzahl|stk|count|pcs)\b\.?`
/** What is one product follows: `2 x 4 GB`, `3 x 5 x 7`. */
const MEASURE = String.raw`(?!\s*\d+(?:[.,]\d+)?\s*(?:[kmgtKMGT][bB]|[xX×])\b)`
const TIMES = `^\\(?(${NUMBER})\\s?[x×*]\\)?(?=\\s)[\\s:-]*${MEASURE}`

const ALONE = new RegExp(
  `^(?:${NAME}\\s*[:=]?\\s*)?(?:[x×*]\\s*)?(${NUMBER})\\s*(?:${UNIT}|[x×*])?$`,
  'iu',
)
const AROUND = [
  // By a word, which says more than an x does.
  new RegExp(`^(?:${NAME})\\s*[:=]?\\s*(${NUMBER})(?=[\\s,;:-]|$)[\\s,;:-]*`, 'iu'),
  new RegExp(`[\\s,;(-]+(?:${NAME})\\s*[:=]?\\s*(${NUMBER})\\)?\\s*$`, 'iu'),
  new RegExp(`^\\(?(${NUMBER})\\s?(?:${UNIT})\\)?(?=\\s)[\\s:-]*`, 'iu'),
  new RegExp(TIMES, 'u'),
  new RegExp(`(?:\\s+|[,;(]\\s*)(${NUMBER})\\s?(?:${UNIT})\\)?\\s*$`, 'iu'),
  new RegExp(`(?:\\s+|[,;(]\\s*)[x×*](${NUMBER})\\)?\\s*$`, 'iu'),
  // `1920 x 1080` is no quantity.
  new RegExp(`(?<!(?:^|\\s)\\d{1,4})(?:\\s+|[,;(]\\s*)[x×*]\\s(${NUMBER})\\)?\\s*$`, 'iu'),
  new RegExp(`(?:\\s+|[,;(]\\s*)(${NUMBER})\\s?[x×*]\\)?\\s*$`, 'iu'),
  // Toner cartridges are called 51X: a small x goes before words, a large one behind them.
  new RegExp(TIMES, 'iu'),
]

/** Longer texts say nothing of a quantity, and would take long to look through. */
const LONGEST_CELL = 40
const LONGEST_LINE = 500

/** The number that a cell holds and nothing else, as in `3`, `2x` or `5 Stk`; order forms have 0. Pure. */
export function quantityIn(cell: string): number | undefined {
  const text = cell.trim()
  const found = text.length > LONGEST_CELL ? null : ALONE.exec(text)
  return found ? countOf(found[1]!) : undefined
}

/** A line of text without the words that say how many, and how many. Pure. */
export function takeQuantity(text: string): { rest: string; quantity: number | undefined } {
  const line = text.trim()
  if (line.length > LONGEST_LINE) return { rest: line, quantity: undefined }
  for (const pattern of AROUND) {
    const found = pattern.exec(line)
    const quantity = found ? countOf(found[1]!) : undefined
    if (found && quantity) {
      return { rest: (line.slice(0, found.index) + afterMatch(line, found)).trim(), quantity }
    }
  }
  return { rest: line, quantity: undefined }
}

const afterMatch = (line: string, { 0: match, index }: RegExpExecArray): string =>
  line.slice(index + match.length)

/** `1.000` and `1,000` are thousands, `2,5` and `2.5` are not. */
function countOf(text: string): number | undefined {
  const grouped = /^\d{1,3}(?:[.,]\d{3})+$/.test(text)
  const value = Number(grouped ? text.replace(/\D/g, '') : text.replace(',', '.'))
  return value >= 0 && value <= limits.workspaceQuantity ? value : undefined
}
