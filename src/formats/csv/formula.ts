/** Signs at which spreadsheets take a cell for a formula, also behind apostrophes of our own. */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/

/** A text that no spreadsheet runs: with an apostrophe before what would be a formula. */
export const guarded = (text: string): string => (FORMULA.test(text) ? `'${text}` : text)

/** The text that `guarded` was given. */
export const unguarded = (text: string): string =>
  text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text
