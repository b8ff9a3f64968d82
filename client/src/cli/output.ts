/**
 * Puts a text of the service on one line and removes characters that could control the terminal.
 */
export const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')

const WIDEST = 60

/** Formats rows below headings in columns as wide as their longest cell. */
export function columns(
  headings: readonly string[],
  rows: readonly (readonly (string | number | boolean | null | undefined)[])[],
): string[] {
  const cells = [headings, ...rows.map((row) => row.map(shown))]
  const widths = headings.map((_, at) => Math.max(...cells.map((row) => row[at]!.length)))
  return cells.map((row) =>
    row
      .map((text, at) => text.padEnd(widths[at]!))
      .join('  ')
      .trimEnd(),
  )
}

function shown(value: string | number | boolean | null | undefined): string {
  const text = value === null || value === undefined ? '-' : oneLine(String(value))
  return text.length <= WIDEST ? text : `${text.slice(0, WIDEST - 1)}…`
}
