import type { Sample } from '../extensions/contract.ts'
import type { Format } from '../formats/format.ts'
import { limits } from '../limits.ts'
import type { Context } from '../operation.ts'
import { firstRowsOf } from './first-rows.ts'
import { quoteOf, readingOf, requestFrom } from './request.ts'
import { ignoredText } from './tally.ts'

/** Stands for a vendor that is not named yet, and is not shown. */
const ANY_VENDOR = 'vendor'

/**
 * Reads the first rows of the file in a request, detects its format, and suggests mappings. `given`
 * has the fields of an ImportQueueRequest. Throws Invalid.
 */
export async function sampleOf(
  ctx: Context,
  given: Readonly<Record<string, unknown>>,
): Promise<Sample> {
  const request = requestFrom({ ...given, mappings: [] })
  const asTable = { ...request, vendor: request.vendor ?? ANY_VENDOR, header: true }
  const settingsFor = (format: Format) => ({ ...readingOf(asTable, format), columns: [] })
  const saidHeader = typeof given.header === 'boolean' || typeof given.header === 'string'
  const file = await firstRowsOf(ctx, request, settingsFor, {
    count: limits.sampleRows,
    sample: { header: saidHeader ? request.header : null },
  })
  const { header, decimal, system, ...said } = file.sample!
  return {
    ...(file.ignored.length > 0 ? { warnings: [ignoredText(file.ignored)] } : {}),
    ...said,
    detected: {
      encoding: file.encoding === 'utf-8-damaged' ? 'utf-8' : file.encoding,
      delimiter: file.delimiter ?? null,
      quoteChar: file.delimiter ? quoteOf(request) : null,
      header,
      decimal,
      headerRow: header ? (file.headingLine ?? null) : null,
      system,
    },
  }
}
