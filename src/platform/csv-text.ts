/** Formats one row, quoting cells where needed. */
export const csvText = (cells: readonly string[], delimiter = ','): string =>
  `${cells.map(quoted).join(delimiter)}\r\n`

// Any common delimiter is quoted: a program that guesses the wrong one must not split the cell.
const quoted = (text: string): string =>
  /[",;\t\r\n|]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text

/** Text that a spreadsheet takes for a formula, or would without its leading apostrophes. */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/

/** Puts an apostrophe before text that a spreadsheet would run as a formula. */
export const escapeFormula = (text: string): string => (FORMULA.test(text) ? `'${text}` : text)

/** Reverses `escapeFormula`. */
export const unescapeFormula = (text: string): string =>
  text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text
