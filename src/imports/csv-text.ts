/** One row of texts, quoted where a reader needs it. Pure. */
export const csvText = (cells: readonly string[], delimiter = ','): string =>
  `${cells.map(quoted).join(delimiter)}\r\n`

// Whatever the delimiter: a program that guesses another one shall not cut the cell.
const quoted = (text: string): string =>
  /[",;\t\r\n|]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
