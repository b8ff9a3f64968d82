import { hasHeadings } from '../rows/table-headings.ts'
import { cellsIn } from './cells.ts'

const CANDIDATES = [',', ';', '\t', '|'] as const

/** A first line that tells spreadsheets the delimiter and is not a row. */
const DECLARED = /^"?sep=([\t\x20-\x7e])"?(?:\r\n|\n|\r)/i

/** The delimiter that a file declares, and the bytes of the line that declares it. */
export function declaredDelimiter(head: string): { delimiter: string; bytes: number } | undefined {
  const [line, delimiter] = DECLARED.exec(head) ?? []
  return delimiter === undefined ? undefined : { delimiter, bytes: line!.length }
}

/** The delimiter that divides the first line of a file into the most cells; a comma for none. */
export function detectDelimiter(head: string, quote: string): string {
  const counts = new Map<string, number>(CANDIDATES.map((sign) => [sign, 0]))
  let quoted = false
  for (const sign of head) {
    if (sign === quote) quoted = !quoted
    if (quoted) continue
    if (sign === '\n' || sign === '\r') {
      if ([...counts.values()].some((count) => count > 0)) break
      continue
    }
    const count = counts.get(sign)
    if (count !== undefined) counts.set(sign, count + 1)
  }
  const [best] = [...counts].sort(([, a], [, b]) => b - a)
  return best && best[1] > 0 ? best[0] : ','
}

/** Numbers of lines and characters that are searched for headings. */
const LINES = 30
const LONGEST = 20_000

/** The delimiter by which known headings are found, perhaps below a letterhead; else `found`. */
export function dividing(head: string, found: string, quote: string): string {
  const lines = head
    .slice(0, LINES * LONGEST)
    .split(/\r\n?|\n/, LINES)
    .filter((line) => line.trim() !== '')
    .map((line) => line.slice(0, LONGEST))
  const isKnown = (delimiter: string) =>
    hasHeadings(lines.map((line) => cellsIn(line, { delimiter, quote })))
  return [found, ...CANDIDATES].find(isKnown) ?? found
}
