import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { Failure } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { defined } from '../../platform/defined.ts'
import type { StoredBytes } from '../bytes/stored-bytes.ts'
import type { OpenFile } from '../format.ts'
import { formatOf } from '../registry.ts'
import { BadRow } from '../rows/mapped-row.ts'
import { shortRow } from '../rows/original-row.ts'
import type { RawRow } from '../rows/raw-row.ts'
import { PASSED_OVER } from '../rows/row-shape.ts'
import { sampleOf } from './file-sample.ts'
import type {
  ChunkForThread,
  FileBatch,
  FileDescription,
  FileRow,
  OpenRequest,
  RowsRequest,
  ThreadCall,
  ThreadMessage,
} from './messages.ts'

/** The thread that reads one file at a time; see open-in-thread.ts. */
const port = parentPort!
const send = (message: ThreadMessage) => port.postMessage(message)

/** On Linux a priority belongs to a thread: requests go before files. */
const NICE = 15
if (process.platform === 'linux') {
  try {
    setPriority(0, NICE)
  } catch {
    // A sandbox may forbid it.
  }
}

const pulls = new Map<number, (chunk: Uint8Array | null) => void>()
let reads = 0

/** The file, whose bytes the main thread has. */
const remoteBytes = (about: OpenRequest['file']): StoredBytes => ({
  ...about,
  async *read(range = {}) {
    const read = ++reads
    let isOver = false
    try {
      for (;;) {
        const { promise, resolve } = Promise.withResolvers<Uint8Array | null>()
        pulls.set(read, resolve)
        send({ pull: read, range })
        const chunk = await promise
        isOver = chunk === null
        if (isOver) return
        yield Buffer.from(chunk!.buffer, chunk!.byteOffset, chunk!.byteLength)
      }
    } finally {
      pulls.delete(read)
      if (!isOver) send({ drop: read })
    }
  },
})

let file: OpenFile | undefined
let batches: AsyncIterator<FileBatch> | undefined
/** Rows that may still be rejected, by their number from 1. */
const kept = new Map<number, RawRow>()

async function open({ fileType, settings, now, most, file: about }: OpenRequest) {
  const options = { now, ...defined({ most }) }
  file = await formatOf(fileType)!.open(remoteBytes(about), settings, options)
  const { headings, notes, bytes, encoding, isCut, delimiter, headingLine, system } = file
  const { reading, columns } = file
  return {
    ...{ headings, notes, bytes, encoding, isCut, delimiter, headingLine, system, reading },
    ...(columns ? { uses: columns.uses } : {}),
    warnings: columns?.warnings ?? [],
  } as FileDescription
}

async function* batchesOf(
  opened: OpenFile,
  { skip = 0, count = Infinity, columnValues, areCells = false, sample }: RowsRequest,
): AsyncGenerator<FileBatch> {
  const { columns, ignored } = opened
  if (columns && columnValues) columns.resume(columnValues)
  const rowOf = areCells ? cellsRow(opened) : (row: RawRow) => plainRow(row, attempt(opened, row))
  const sampled: RawRow[] = []
  let seen = 0
  const batchOf = (rows: readonly FileRow[], before: number, isEnd = false): FileBatch => ({
    ...{ rows, before, isEnd },
    position: opened.position(),
    ...(columns ? { columnValues: columns.values() } : {}),
    warnings: columns?.warnings ?? [],
    ...(ignored ? { ignored: ignored() } : {}),
  })
  for await (const all of opened.batches) {
    const rows = all.slice(Math.max(0, skip - seen))
    const before = seen + all.length - rows.length
    seen += all.length
    if (sample) {
      // Reading a row finds names that products do not have.
      if (opened.ignored) for (const row of rows) attempt(opened, row)
      sampled.push(...rows)
      yield batchOf([], before)
    } else {
      // Skipped rows count as read, since there may be minutes of them.
      if (!areCells) for (const [at, row] of rows.entries()) kept.set(before + at + 1, row)
      yield batchOf(rows.map(rowOf), before)
    }
    if (seen >= count) break
  }
  // If the file is cut off, its last row may be incomplete.
  if (opened.isCut && seen < count) sampled.pop()
  const last = batchOf([], seen, true)
  yield sample ? { ...last, sample: sampleOf(opened, sampled, sample.header) } : last
}

const plainRow = ({ line, text }: RawRow, read: FileRow['read']): FileRow => ({
  line,
  length: text.length,
  read,
})

/** A row of a table. Nothing is done with further cells, of which it may have a million. */
const cellsRow =
  (opened: OpenFile) =>
  (row: RawRow): FileRow => ({
    ...plainRow(row, row.problem),
    cells: (opened.original(row) as readonly string[]).slice(0, limits.importColumns),
  })

function attempt({ read }: OpenFile, row: RawRow): FileRow['read'] {
  if (row.problem !== undefined) return row.problem
  try {
    return read(row)
  } catch (error) {
    if (error === PASSED_OVER) return undefined
    if (error instanceof BadRow) return error.message
    throw error
  }
}

function originals({ numbers, upTo }: Extract<ThreadCall, { call: 'originals' }>) {
  const found = numbers.map((number) => shortRow(file!.original(kept.get(number)!)))
  for (const number of kept.keys()) {
    if (number > upTo) break
    kept.delete(number)
  }
  return found
}

async function close(): Promise<void> {
  const closing = file
  await batches?.return?.()
  file = undefined
  batches = undefined
  kept.clear()
  await closing?.close()
}

async function answer(call: ThreadCall): Promise<unknown> {
  switch (call.call) {
    case 'open':
      return open(call.request)
    case 'rows':
      batches = batchesOf(file!, call.request)
      return undefined
    case 'next':
      return (await batches!.next()).value
    case 'originals':
      return originals(call)
    case 'close':
      return close()
  }
}

let answering: Promise<unknown> = Promise.resolve()

port.on('message', (message: ThreadCall | ChunkForThread) => {
  if ('read' in message) return pulls.get(message.read)?.(message.chunk)
  const work = () => answer(message)
  answering = answering.then(work, work).then(
    (done) => send({ done }),
    (error: Error) => {
      const { message: text, stack } = error
      send({
        failed: {
          ...{ code: error instanceof Failure ? error.code : error.name, message: text },
          ...(stack === undefined ? {} : { stack }),
        },
      })
    },
  )
})
