import { Invalid } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { ParquetColumn } from './columns.ts'
import type { DecodingBudget } from './decoding-budget.ts'
import { differences, textsByLength, textsByPrefix } from './delta.ts'
import type { StoredColumn } from './metadata.ts'
import {
  damaged,
  type HeldBytes,
  type ParquetBytes,
  type ParquetPage,
  pagesOf,
  refusingDamage,
} from './pages.ts'
import {
  dictionaryOf,
  packedNumbers,
  plainValues,
  type RawValue,
  type Storage,
  splitValues,
  storageOf,
} from './values.ts'

/** What was read, over all columns. */
export interface ReadAmount {
  /** Characters of the row, including those of values that are left out. */
  characters: number
  readonly budget: DecodingBudget
}

/** The cells of one column in a row group, in order. */
export interface Cells {
  /** The next cell; undefined when another page must be loaded first. Throws Invalid. */
  next(): string | undefined
  /** Loads the next page and returns its first cell. Throws Invalid. */
  load(): Promise<string>
  /** Frees the pages that are held. */
  close(): Promise<void>
}

type Dictionary = ReturnType<typeof dictionaryOf>

/**
 * Reads the cells of a column page by page. Values of a row that is too long already are left out.
 * Throws Invalid.
 */
export function createCells(
  file: ParquetBytes,
  column: ParquetColumn,
  { stored, held, read }: { stored: StoredColumn | undefined; held: HeldBytes; read: ReadAmount },
): Cells {
  if (!stored?.type || stored.type !== column.element.type) throw damaged()
  const storage = storageOf(stored.type, column.element.type_length)
  const { budget } = read
  const pages = pagesOf(file, stored, held)
  let dictionary: Dictionary | undefined
  let cells: Iterator<string> | undefined
  const next = (): string | undefined => cells && refusingDamage(() => cells!.next().value)
  return {
    next,
    async load() {
      for (;;) {
        const { done, value: page } = await pages.next()
        if (done) throw damaged()
        budget.restart()
        if (page.header.type === 'DICTIONARY_PAGE') {
          dictionary = refusingDamage(() => dictionaryOf(page.body, storage, budget))
          continue
        }
        cells = refusingDamage(() =>
          cellsOf(column, partsOf(page, { column, storage, dictionary, budget }), read),
        )
        const cell = next()
        if (cell !== undefined) return cell
      }
    },
    async close() {
      await pages.return(undefined)
    },
  }
}

interface DataPageParts {
  readonly repetitions: Buffer
  readonly definitions: Buffer
  readonly count: number
  readonly values: Iterator<RawValue>
}

interface ColumnDecoding {
  readonly column: ParquetColumn
  readonly storage: Storage
  readonly dictionary: Dictionary | undefined
  readonly budget: DecodingBudget
}

/** The levels and values of a data page, version 1 or 2. */
function partsOf({ header, levels, body }: ParquetPage, how: ColumnDecoding): DataPageParts {
  const { data_page_header: v1, data_page_header_v2: v2 } = header
  if (v2) {
    const { repetition_levels_byte_length: middle, num_values: count } = v2
    const [repetitions, definitions] = [levels.subarray(0, middle), levels.subarray(middle)]
    return { repetitions, definitions, count, values: valuesOf(body, v2.encoding, count, how) }
  }
  if (!v1) throw damaged()
  const { isList, maxDefinition } = how.column
  const { num_values: count } = v1
  let at = 0
  const level = (isThere: boolean): Buffer => {
    if (!isThere) return body.subarray(0, 0)
    const from = at + 4
    at = from + body.readUInt32LE(at)
    if (at > body.length) throw damaged()
    return body.subarray(from, at)
  }
  if (maxDefinition > 0 && v1.definition_level_encoding !== 'RLE') throw damaged()
  const repetitions = level(isList)
  const definitions = level(maxDefinition > 0)
  return {
    repetitions,
    definitions,
    count,
    values: valuesOf(body.subarray(at), v1.encoding, count, how),
  }
}

function valuesOf(
  bytes: Buffer,
  encoding: string,
  most: number,
  { storage, dictionary, budget }: ColumnDecoding,
): Iterator<RawValue> {
  if (encoding === 'PLAIN') return plainValues(bytes, storage)
  if (encoding.endsWith('_DICTIONARY')) {
    if (!dictionary) throw damaged()
    const width = bytes.length === 0 ? 0 : bytes[0]!
    return mapped(packedNumbers(bytes.subarray(1), width, budget), dictionary)
  }
  if (encoding === 'RLE' && storage.type === 'BOOLEAN') {
    return mapped(packedNumbers(bytes.subarray(4), 1, budget), (bit) => bit === 1)
  }
  const delta = { from: 0, most, budget }
  if (encoding === 'DELTA_BINARY_PACKED') return differences(bytes, delta)
  if (encoding === 'DELTA_LENGTH_BYTE_ARRAY') return textsByLength(bytes, delta)
  if (encoding === 'DELTA_BYTE_ARRAY') return textsByPrefix(bytes, delta)
  if (encoding === 'BYTE_STREAM_SPLIT') return splitValues(bytes, storage)
  throw new Invalid(`The Parquet file has an encoding that is not supported: ${encoding}.`)
}

function* mapped<A, B>(values: Iterable<A>, to: (value: A) => B): Generator<B> {
  for (const value of values) yield to(value)
}

function taken<T>(from: Iterator<T>): T {
  const { done, value } = from.next()
  if (done) throw damaged()
  return value
}

/** Entries of a list in one row. */
const ENTRIES = 50_000

/** The cells of a page; entries of a list are separated by vertical bars. */
function* cellsOf(column: ParquetColumn, page: DataPageParts, read: ReadAmount): Generator<string> {
  const { isList, maxDefinition, text } = column
  const repetitions = packedNumbers(page.repetitions, 1, read.budget)
  const definitions = packedNumbers(page.definitions, 32 - Math.clz32(maxDefinition), read.budget)
  const value = (): string => {
    read.budget.add(1)
    read.characters++
    if (maxDefinition > 0 && taken(definitions) !== maxDefinition) return ''
    const raw = taken(page.values)
    const isTooLong = read.characters > limits.importRowBytes
    const shown = isTooLong ? '' : text(raw)
    read.characters += isTooLong && Buffer.isBuffer(raw) ? raw.length : shown.length
    return shown
  }
  if (!isList) {
    for (let left = page.count; left > 0; left--) yield value()
    return
  }
  let entries: string[] | undefined
  for (let left = page.count; left > 0; left--) {
    const isNew = taken(repetitions) === 0
    if (isNew && entries) yield entries.join('|')
    if (isNew) entries = []
    // A row does not continue on the next page.
    if (!entries) throw damaged()
    if (entries.length === ENTRIES) {
      throw new Invalid(`The Parquet file has a list of more than ${ENTRIES} entries.`)
    }
    entries.push(value())
  }
  if (entries) yield entries.join('|')
}
