/** The delimiter and quote of a file. */
export interface Dialect {
  readonly delimiter: string
  readonly quote: string
}

/**
 * The cells of one record (RFC 4180). A quote in any other place is text, as in `17" screen` or
 * `"17" screen"`.
 */
export function cellsIn(record: string, { delimiter, quote }: Dialect): string[] {
  if (!record.includes(quote)) return record.split(delimiter)
  const cells: string[] = []
  for (let at = 0; at !== -1; ) {
    const quoted = record.startsWith(quote, at)
    const close = quoted ? closing(record, at + quote.length, quote) : -1
    const behind = close === -1 ? at : close + quote.length
    // The rest of a cell that is not quoted, or not correctly, up to the next delimiter outside
    // quotes.
    const next = record.indexOf(delimiter, behind)
    const end = next === -1 ? record.length : next
    const well = close !== -1 && behind === end
    cells.push(
      well ? unescaped(record.slice(at + quote.length, close), quote) : record.slice(at, end),
    )
    at = next === -1 ? -1 : next + delimiter.length
  }
  return cells
}

/**
 * The position of the quote that closes a cell whose text begins at `from`; -1 if there is none.
 */
function closing(text: string, from: number, quote: string): number {
  for (let at = from; ; ) {
    const found = text.indexOf(quote, at)
    if (found === -1 || !text.startsWith(quote, found + quote.length)) return found
    at = found + 2 * quote.length
  }
}

const unescaped = (text: string, quote: string): string =>
  text.includes(quote) ? text.replaceAll(quote + quote, quote) : text
