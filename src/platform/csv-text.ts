/** Formats one row, quoting cells where needed. */
export const csvText = (cells: readonly string[], delimiter = ','): string =>
  `${cells.map(quoted).join(delimiter)}\r\n`

// Any common delimiter is quoted: a program that guesses the wrong one must not split the cell.
const quoted = (text: string): string =>
  /[",;\t\r\n|]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text

/** Beginnings of what spreadsheets take for a formula, also behind our own apostrophes. */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/

/** Makes a text that no spreadsheet runs, by an apostrophe before what would be a formula. */
export const escapeFormula = (text: string): string => (FORMULA.test(text) ? `'${text}` : text)

/** Reverses `escapeFormula`. */
export const unescapeFormula = (text: string): string =>
  text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text
