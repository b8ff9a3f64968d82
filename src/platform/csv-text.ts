/** One row of texts, quoted where a reader needs it. */
export const csvText = (cells: readonly string[], delimiter = ','): string =>
  `${cells.map(quoted).join(delimiter)}\r\n`

// Whatever the delimiter: a program that guesses another one shall not cut the cell.
const quoted = (text: string): string =>
  /[",;\t\r\n|]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text

/** Signs at which spreadsheets take a cell for a formula, also behind apostrophes of our own. */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/

/** A text that no spreadsheet runs: with an apostrophe before what would be a formula. */
export const escapeFormula = (text: string): string => (FORMULA.test(text) ? `'${text}` : text)

/** The text that `escapeFormula` was given. */
export const unescapeFormula = (text: string): string =>
  text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text
