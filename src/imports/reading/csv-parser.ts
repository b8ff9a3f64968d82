import { finished } from 'node:stream/promises'
import { type CsvError, Parser } from 'csv-parse'
import { parse } from 'csv-parse/sync'
import { limits } from '../../limits.ts'

/** How the cells of a file are written. */
export interface Dialect {
  readonly delimiter: string
  readonly quote: string
}

/** A record and the number of input bytes up to its end. */
export interface ParsedRecord {
  readonly cells: readonly string[]
  readonly end: number
}

/** One csv-parse parser that hands over its records after each piece of input. */
export interface CsvParser {
  /** Answers the error that ended the parser, if one did. */
  write(chunk: Buffer): Promise<CsvError | undefined>
  end(): Promise<CsvError | undefined>
  take(): ParsedRecord[]
}

const options = ({ delimiter, quote }: Dialect) => ({
  delimiter,
  quote,
  escape: quote,
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_column_count: true,
  skip_empty_lines: true,
  max_record_size: limits.importRowBytes,
})

/** Quotes may stand inside cells; a record that is too large, and an open quote, end the parser. */
export function createCsvParser(dialect: Dialect): CsvParser {
  let records: ParsedRecord[] = []
  const parser = new Parser({
    ...options(dialect),
    relax_quotes: true,
    on_record: (cells: readonly string[], { bytes }: { bytes: number }) => {
      records.push({ cells, end: bytes })
      return null
    },
  })
  parser.on('error', () => undefined)
  return {
    write: (chunk) =>
      new Promise((resolve) => {
        parser.write(chunk, (error) => resolve((error as CsvError | null) ?? undefined))
      }),
    async end() {
      parser.end()
      try {
        await finished(parser, { readable: false })
        return undefined
      } catch (error) {
        return error as CsvError
      }
    },
    take() {
      const taken = records
      records = []
      return taken
    },
  }
}

/** The cells of one record; the whole of it as one cell when it is broken. */
export function cellsIn(record: Buffer, dialect: Dialect): string[] {
  try {
    const records: string[][] = parse(record, { ...options(dialect), relax_quotes: true })
    return records[0] ?? []
  } catch {
    return [record.toString('utf8')]
  }
}

/**
 * Whether a record runs on into the next lines because a quote was not closed where it should be:
 * a cell that begins with a quote and has several lines, in a record that is not well quoted.
 */
export function runsOn(cells: readonly string[], bytes: Buffer, dialect: Dialect): boolean {
  const { quote } = dialect
  if (!cells.some((cell) => cell.startsWith(quote) && /[\r\n]/.test(cell))) return false
  try {
    parse(bytes, options(dialect))
    return false
  } catch {
    return true
  }
}
