import { limits } from '../../limits.ts'
import { beginning, type RawRow } from './raw-row.ts'

const LF = 10
const NOTHING = Buffer.alloc(0)

/** Lines of a jsonl file in UTF-8, blank ones left out. One that is too large is a problem row. */
export async function* jsonlRows(chunks: AsyncIterable<Buffer>): AsyncGenerator<readonly RawRow[]> {
  let open: Buffer = NOTHING
  /** The beginning of a line that is too large and is being passed over. */
  let skipped: string | undefined
  let line = 1
  for await (const chunk of chunks) {
    const rows: RawRow[] = []
    let rest = chunk
    for (let at = rest.indexOf(LF); at !== -1; at = rest.indexOf(LF)) {
      const bytes =
        open.length === 0 ? rest.subarray(0, at) : Buffer.concat([open, rest.subarray(0, at)])
      const row = rowOf(bytes, line++, skipped)
      if (row) rows.push(row)
      rest = rest.subarray(at + 1)
      open = NOTHING
      skipped = undefined
    }
    open = open.length === 0 ? rest : Buffer.concat([open, rest])
    if (open.length > limits.importRowBytes) {
      skipped ??= beginning(open)
      open = NOTHING
    }
    yield rows
  }
  const last = rowOf(open, line, skipped)
  yield last ? [last] : []
}

function rowOf(bytes: Buffer, line: number, skipped: string | undefined): RawRow | undefined {
  if (skipped !== undefined || bytes.length > limits.importRowBytes) {
    const problem = `a line of more than ${limits.importRowBytes} bytes`
    return { line, text: skipped ?? beginning(bytes), problem }
  }
  return isBlank(bytes) ? undefined : { line, text: bytes.toString('utf8') }
}

/** Nothing but spaces, tabs and carriage returns. */
const isBlank = (bytes: Buffer): boolean =>
  bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d)
