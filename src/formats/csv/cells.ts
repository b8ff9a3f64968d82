/** How the cells of a file are written. */
export interface Dialect {
  readonly delimiter: string
  readonly quote: string
}

/**
 * The cells of one record (RFC 4180). A quote that does not stand where one may is text, as in
 * `17" screen` or `"17" screen"`.
 */
export function cellsIn(record: string, { delimiter, quote }: Dialect): string[] {
  if (!record.includes(quote)) return record.split(delimiter)
  const cells: string[] = []
  for (let at = 0; at !== -1; ) {
    const quoted = record.startsWith(quote, at)
    const close = quoted ? closing(record, at + quote.length, quote) : -1
    const behind = close === -1 ? at : close + quote.length
    // Of a cell that is not quoted, or not well: up to the next delimiter that no quote hides.
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

/** Where the quote is that closes a cell whose text begins at `from`; -1 when none does. */
function closing(text: string, from: number, quote: string): number {
  for (let at = from; ; ) {
    const found = text.indexOf(quote, at)
    if (found === -1 || !text.startsWith(quote, found + quote.length)) return found
    at = found + 2 * quote.length
  }
}

const unescaped = (text: string, quote: string): string =>
  text.includes(quote) ? text.replaceAll(quote + quote, quote) : text
