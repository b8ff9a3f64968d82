import type { Dialect } from './cells.ts'

const LF = 10
const CR = 13

/** The end of a record, and where the next one may begin. */
interface RecordEnd {
  readonly end: number
  readonly next: number
  /** Whether it contains line ends. */
  readonly hasLines: boolean
}

/** With `open`, a quote in its first line is not closed where a quote may close. */
type Boundary = RecordEnd | 'incomplete' | 'open'

/**
 * Finds the end of the record that begins at a position, which must not decrease between calls.
 * `last`: no bytes follow. Delimiter and quote are single bytes, so that Buffer.indexOf can search.
 */
export function createRecordFinder(
  bytes: Buffer,
  last: boolean,
  dialect: Dialect,
): (from: number) => Boundary {
  const { length } = bytes
  const delimiter = dialect.delimiter.charCodeAt(0)
  const quote = dialect.quote.charCodeAt(0)
  let nextQuote = -1
  let nextLf = -1
  let nextCr = -1

  /** The first such byte from `from` on; the length if there is none. */
  function first(byte: number, from: number): number {
    const found = bytes.indexOf(byte, from)
    return found === -1 ? length : found
  }

  function quoteFrom(from: number): number {
    if (nextQuote < from) nextQuote = first(quote, from)
    return nextQuote
  }

  function lineEndFrom(from: number): number {
    if (nextLf < from) nextLf = first(LF, from)
    if (nextCr < from) nextCr = first(CR, from)
    return Math.min(nextLf, nextCr)
  }

  function closing(from: number): number {
    let at = quoteFrom(from)
    while (at < length && bytes[at + 1] === quote) at = quoteFrom(at + 2)
    return at
  }

  function ended(end: number, hasLines: boolean): Boundary {
    if (end === length) return last ? { end, next: end, hasLines } : 'incomplete'
    if (bytes[end] === LF) return { end, next: end + 1, hasLines }
    // The LF of a CR LF may be in the next piece.
    if (end + 1 === length && !last) return 'incomplete'
    return { end, next: bytes[end + 1] === LF ? end + 2 : end + 1, hasLines }
  }

  return (from) => {
    let hasLines = false
    for (let at = from; ; ) {
      const line = lineEndFrom(at)
      const opens = quoteFrom(at)
      if (opens >= line) return ended(line, hasLines)
      at = opens + 1
      if (opens !== from && bytes[opens - 1] !== delimiter) continue
      const close = closing(at)
      if (close === length) return last ? 'open' : 'incomplete'
      // The next byte decides whether the quote closes the cell or is text.
      at = close + 1
      if (at === length && !last) return 'incomplete'
      const behind = bytes[at]
      const closes = at === length || behind === delimiter || behind === LF || behind === CR
      if (!closes && line < close) return 'open'
      hasLines ||= line < close
    }
  }
}
