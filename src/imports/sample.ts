import type { Sample } from '../extensions/contract.ts'
import type { Mapping } from '../extensions/mapping.ts'
import type { ImportRows } from '../formats/format.ts'
import { detectDecimal } from '../formats/rows/cell-values.ts'
import { columnsOfCells, columnsOfNamed, looksLikeHeader } from '../formats/rows/describe.ts'
import { fieldOf, type Target } from '../formats/rows/fields.ts'
import type { RowValues } from '../formats/rows/named-values.ts'
import type { RawRow } from '../formats/rows/raw-row.ts'
import { type Suggestion, suggest } from '../formats/rows/suggest.ts'
import { limits } from '../limits.ts'
import type { Context } from '../operation.ts'
import { openFile } from './open-file.ts'
import { readingOf } from './request.ts'
import { requestFrom } from './request-values.ts'
import type { ReadingSettings } from './settings.ts'
import { endingWith, lookAt, type SeenFile } from './viewed-file.ts'

/** Where no vendor is named yet; it is not shown. */
const ANY_VENDOR = 'vendor'

/**
 * The first rows of the file that a request names, how they are read, and what its columns
 * probably are. `given` has the fields of an ImportQueueRequest. Throws Invalid.
 */
export async function sampleOf(
  ctx: Context,
  given: Readonly<Record<string, unknown>>,
): Promise<Sample> {
  const request = requestFrom({ ...given, mappings: [] })
  const file = await lookAt(ctx, request)
  const vendor = request.vendor ?? ANY_VENDOR
  const reading = readingOf({ ...request, vendor, header: true }, file.name)
  const saidHeader = typeof given.header === 'boolean' || typeof given.header === 'string'
  const first = await look(ctx, file, { ...reading, columns: [] })
  const isTable = first.delimiter !== undefined
  const header = isTable && (saidHeader ? request.header : looksLikeHeader(first.headings))
  const { columns, suggestions, decimal } = isTable
    ? table(first, header)
    : { columns: named(reading, first), suggestions: [], decimal: null }
  return {
    columns,
    mappings: suggestions.map((one) => ({
      ...mappingOf(one.index, one.target),
      confidence: one.confidence,
    })),
    detected: {
      encoding: first.encoding === 'utf-8-damaged' ? 'utf-8' : first.encoding,
      delimiter: first.delimiter ?? null,
      quoteChar: first.delimiter ? reading.quote : null,
      header,
      decimal,
    },
  }
}

type Seen = Pick<ImportRows, 'delimiter' | 'headings' | 'encoding' | 'original'> & {
  readonly rows: readonly RawRow[]
}

async function look(ctx: Context, { stored }: SeenFile, reading: ReadingSettings): Promise<Seen> {
  const isCancelled = endingWith(ctx.signal)
  const now = ctx.clock.now()
  const file = await openFile(stored, reading, { now, isCancelled, most: limits.sampleBytes })
  try {
    const rows: RawRow[] = []
    for await (const batch of file.rows.batches) {
      rows.push(...batch)
      if (rows.length >= limits.sampleRows) break
    }
    return { ...file.rows, rows }
  } finally {
    await file.close()
  }
}

/** What was read as headings may be a row like the others. */
function table({ delimiter, headings, rows: raw, original }: Seen, header: boolean) {
  const top = header ? headings : []
  const data = raw.map((row) => original(row) as readonly string[])
  const rows = header || headings.length === 0 ? data : [headings, ...data]
  const suggestions = suggest(header ? top : null, rows)
  return {
    columns: columnsOfCells(top, rows.slice(0, limits.sampleRows)),
    suggestions,
    decimal: delimiter === null ? '.' : decimalOf(suggestions, rows),
  }
}

function decimalOf(suggestions: readonly Suggestion[], rows: readonly (readonly string[])[]) {
  const numbers = suggestions.filter(({ target }) => fieldOf(target).kind === 'number')
  return detectDecimal(rows.flatMap((row) => numbers.map(({ index }) => row[index] ?? '')))
}

const mappingOf = (column: number, target: Target): Mapping => {
  if ('name' in target) return { column, field: target.to, attribute: target.name }
  const field = target.to === 'vendor' ? `vendor.${target.field}` : target.field
  return { column, field, attribute: null }
}

/** The values of files that have no columns, by what they are called there. */
function named({ fileType }: ReadingSettings, { rows, headings, original }: Seen): string[][] {
  const shown = rows.slice(0, limits.sampleRows)
  const good = shown.filter(({ problem }) => problem === undefined)
  if (fileType === 'cif') {
    return columnsOfCells(
      headings,
      good.map((row) => original(row) as readonly string[]),
    )
  }
  return columnsOfNamed(good.map(({ text }) => (fileType === 'jsonl' ? line(text) : values(text))))
}

function values(text: string): [string, string][] {
  const row = JSON.parse(text) as RowValues
  return [
    ...row.values.map(([field, value, name]): [string, string] => [
      name === undefined ? field : `${field} ${name}`,
      value,
    ]),
    ...(row.images ?? []).slice(0, 1).map((url): [string, string] => ['images', url]),
    ...(row.links ?? []).slice(0, 1).map(([, url]): [string, string] => ['links', url]),
  ]
}

function line(text: string): [string, string][] {
  try {
    const product: unknown = JSON.parse(text)
    if (typeof product !== 'object' || product === null) return []
    return Object.entries(product).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ])
  } catch {
    return []
  }
}
