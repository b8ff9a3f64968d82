import { limits } from '../../limits.ts'
import { oneLine } from '../../platform/one-line.ts'

// Every repetition is bounded, so that matching takes no quadratic time.
const NUMBER = String.raw`\d{1,3}(?:[.,]\d{3}){1,3}|\d{1,9}(?:[.,]\d{1,2})?`
const UNIT = String.raw`(?:stk|stck|stücke?|stueck|st|pcs?|pieces?|ea|each|units?|einheiten|nos?)\b\.?`
const NAME = String.raw`(?:qty|quantity|menge|anzahl|stückzahl|stk|count|pcs)\b\.?`
/** No match when the text goes on as a size: `2 x 4 GB`, `3 x 5 x 7`. */
const MEASURE = String.raw`(?! ?\d{1,9}(?:[.,]\d{1,9})? ?(?:[kmgtKMGT][bB]|[xX×])\b)`
const TIMES = `^\\(?(${NUMBER}) ?[x×*]\\)?(?= )[ :-]{0,9}${MEASURE}`
/** The separator between a text and the number after it. */
const GAP = '(?: |[,;(] ?)'

const QUANTITY_ONLY = new RegExp(
  `^(?:${NAME} ?[:=]? ?)?(?:[x×*] ?)?(${NUMBER}) ?(?:${UNIT}|[x×*])?$`,
  'iu',
)
const QUANTITY_PATTERNS = [
  // First by a word, which is clearer than an x.
  new RegExp(`^(?:${NAME}) ?[:=]? ?(${NUMBER})(?=[ ,;:-]|$)[ ,;:-]{0,9}`, 'iu'),
  new RegExp(`[ ,;(-]{1,9}(?:${NAME}) ?[:=]? ?(${NUMBER})\\)?$`, 'iu'),
  new RegExp(`^\\(?(${NUMBER}) ?(?:${UNIT})\\)?(?= )[ :-]{0,9}`, 'iu'),
  new RegExp(TIMES, 'u'),
  new RegExp(`${GAP}(${NUMBER}) ?(?:${UNIT})\\)?$`, 'iu'),
  new RegExp(`${GAP}[x×*](${NUMBER})\\)?$`, 'iu'),
  // Not in `1920 x 1080`.
  new RegExp(`(?<!(?:^| )\\d{1,4})${GAP}[x×*] (${NUMBER})\\)?$`, 'iu'),
  new RegExp(`${GAP}(${NUMBER}) ?[x×*]\\)?$`, 'iu'),
  // An uppercase X comes last, since toner cartridges have names such as 51X.
  new RegExp(TIMES, 'iu'),
]

/** A quantity with a comma between thousands, at the beginning or the end of a line. */
const GROUPED = String.raw`[1-9]\d{0,2}(?:,\d{3}){1,3}`
const BULLET = String.raw`^[^\p{L}\p{N}]{0,4}(?:\d{1,3}[.)] )?`
const GROUPED_PATTERNS = [
  new RegExp(`${BULLET}${GROUPED} ?(?:${UNIT}|[x×*])\\)?(?= )`, 'iu'),
  new RegExp(`${BULLET}${NAME} ?[:=]? ?${GROUPED}(?= |$)`, 'iu'),
  new RegExp(`[ (](?:${NAME} ?[:=]? ?|[x×*] ?)${GROUPED}\\)?$`, 'iu'),
  new RegExp(`[ (]${GROUPED} ?(?:${UNIT}|[x×*])\\)?$`, 'iu'),
]

/** A line without the commas inside its quantity, such as `1,000 pcs`, which divide no cells. */
export const withoutGrouping = (line: string): string =>
  GROUPED_PATTERNS.reduce(
    (text, pattern) => text.replace(pattern, (found) => found.replaceAll(',', '')),
    line.length > LONGEST_LINE ? line : line.trim(),
  )

/** Longer texts are not searched for a quantity. */
const LONGEST_CELL = 40
const LONGEST_LINE = 500

/**
 * The number in a cell that is only a quantity, as in `3`, `2x` or `5 Stk`. Order forms may have 0.
 */
export function quantityIn(cell: string): number | undefined {
  const text = oneLine(cell)
  const found = text.length > LONGEST_CELL ? null : QUANTITY_ONLY.exec(text)
  return found ? countOf(found[1]!) : undefined
}

/** The quantity in a line of text, and the rest of the line. */
export function takeQuantity(text: string): { rest: string; quantity: number | undefined } {
  const line = oneLine(text)
  if (line.length > LONGEST_LINE) return { rest: line, quantity: undefined }
  for (const pattern of QUANTITY_PATTERNS) {
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

/** Parses a number. `1.000` and `1,000` are thousands, `2,5` and `2.5` are not. */
function countOf(text: string): number | undefined {
  const grouped = /^\d{1,3}(?:[.,]\d{3})+$/.test(text)
  const value = Number(grouped ? text.replace(/\D/g, '') : text.replace(',', '.'))
  return value >= 0 && value <= limits.workspaceQuantity ? value : undefined
}
