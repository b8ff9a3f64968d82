/** Signs at which spreadsheets take a cell for a formula, also behind apostrophes of our own. */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/

/** A text that no spreadsheet runs: with an apostrophe before what would be a formula. */
export const escapeFormula = (text: string): string => (FORMULA.test(text) ? `'${text}` : text)

/** The text that `escapeFormula` was given. */
export const unescapeFormula = (text: string): string =>
  text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text
