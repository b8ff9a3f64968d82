import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { Failure } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { defined } from '../../platform/defined.ts'
import type { StoredBytes } from '../bytes/stored-bytes.ts'
import type { Format, OpenFile } from '../format.ts'
import { formatOf } from '../registry.ts'
import { BadRow } from '../rows/mapped-row.ts'
import { shortRow } from '../rows/original-row.ts'
import type { RawRow } from '../rows/raw-row.ts'
import { rejectedLine } from '../rows/rejected-line.ts'
import type { RowChange } from '../rows/row-change.ts'
import { PASSED_OVER } from '../rows/row-shape.ts'
import { sampleOf } from './file-sample.ts'
import type {
  ChunkForWorker,
  FileBatch,
  FileDescription,
  OpenRequest,
  RowsRequest,
  SentRow,
  WorkerCall,
  WorkerMessage,
} from './messages.ts'
import { checkBuffers } from './thread-memory.ts'

// This file runs in a worker thread, which reads one file at a time; see open-in-worker.ts.
const port = parentPort!
const send = (message: WorkerMessage) => port.postMessage(message)

/** On Linux a priority belongs to a thread: requests go before files. */
const NICE = 15
if (process.platform === 'linux') {
  try {
    setPriority(0, NICE)
  } catch {
    // A sandbox may forbid it.
  }
}

type SentBatch = FileBatch<SentRow>

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
        checkBuffers()
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

let format: Format | undefined
let file: OpenFile | undefined
let batches: AsyncIterator<SentBatch> | undefined
/** The most rows in the next batch. */
let mostRows = Infinity
/** Rows that may still be rejected, by their number from 1. */
const kept = new Map<number, RawRow>()

async function open({ fileType, settings, now, most, file: about }: OpenRequest) {
  const options = { now, ...defined({ most }) }
  format = formatOf(fileType)!
  file = await format.open(remoteBytes(about), settings, options)
  const { headings, notes, bytes, encoding, isCut, delimiter, headingLine, system } = file
  const { reading, columns } = file
  return {
    ...{ headings, notes, bytes, encoding, isCut, delimiter, headingLine, system, reading },
    ...(columns ? { uses: columns.uses } : {}),
    warnings: columns?.warnings ?? [],
  } as FileDescription
}

/** What was found in the rows read so far. */
const progressOf = ({ position, columns, ignored }: OpenFile) => ({
  position: position(),
  ...(columns ? { columnValues: columns.values() } : {}),
  warnings: columns?.warnings ?? [],
  ...(ignored ? { ignored: ignored() } : {}),
})

async function* batchesOf(
  opened: OpenFile,
  { skip = 0, count = Infinity, columnValues, areCells = false }: RowsRequest,
): AsyncGenerator<SentBatch> {
  if (opened.columns && columnValues) opened.columns.resume(columnValues)
  const rowOf = areCells ? cellsRow(opened) : changeRow(opened)
  let seen = 0
  let rows: SentRow[] = []
  let length = 0
  /** The rows since the last batch. */
  function batch(isEnd = false): SentBatch {
    const ready = { rows, isEnd, before: seen - rows.length, ...progressOf(opened) }
    rows = []
    length = 0
    return ready
  }
  for await (const all of opened.batches) {
    for (const row of all) {
      if (++seen <= skip) continue
      // Rows count as soon as they are read, since there may be minutes of them.
      if (!areCells) kept.set(seen, row)
      const read = rowOf(row)
      rows.push(read)
      length += lengthOf(read)
      if (seen >= count) break
      if (length >= BATCH_LENGTH || rows.length >= mostRows) yield batch()
    }
    // Also without rows, if all are skipped.
    if (rows.length > 0 || seen <= skip) yield batch()
    if (seen >= count) break
  }
  yield batch(true)
}

/** One batch without rows, which describes the first `count` ones, and those read with them. */
async function* sampleBatch(
  opened: OpenFile,
  header: boolean | null,
  count = Infinity,
): AsyncGenerator<SentBatch> {
  const rows: RawRow[] = []
  for await (const all of opened.batches) {
    // Reading a row finds names that products do not have.
    if (opened.ignored) for (const row of all) attempt(opened, row)
    rows.push(...all)
    if (rows.length >= count) break
  }
  // If the file is cut off, its last row may be incomplete.
  if (opened.isCut && rows.length < count) rows.pop()
  const sample = sampleOf(opened, rows, header)
  yield { rows: [], isEnd: true, before: rows.length, ...progressOf(opened), sample }
}

/** Characters in a batch. A megabyte takes less than a millisecond to be copied. */
const BATCH_LENGTH = 1024 * 1024

const lengthOf = ({ change = '', problem = '', cells = '' }: SentRow): number =>
  change.length + problem.length + cells.length

const changeRow =
  (opened: OpenFile) =>
  (row: RawRow): SentRow => {
    const read = attempt(opened, row)
    const at = placeOf(row)
    if (read === undefined) return at
    return typeof read === 'string'
      ? { ...at, problem: read }
      : { ...at, change: JSON.stringify(read) }
  }

/** A row of a table. Nothing is done with further cells, of which it may have a million. */
const cellsRow =
  (opened: OpenFile) =>
  (row: RawRow): SentRow => {
    const cells = (opened.original(row) as readonly string[]).slice(0, limits.importColumns)
    return { ...placeOf(row), ...defined({ problem: row.problem }), cells: JSON.stringify(cells) }
  }

const placeOf = (row: RawRow) => ({ line: row.line, length: row.size ?? row.text.length })

function attempt({ read }: OpenFile, row: RawRow): RowChange | string | undefined {
  if (row.problem !== undefined) return row.problem
  try {
    return read(row)
  } catch (error) {
    if (error === PASSED_OVER) return undefined
    if (error instanceof BadRow) return error.message
    throw error
  }
}

function rejectedLines({ rows, upTo }: Extract<WorkerCall, { call: 'rejectedLines' }>) {
  const lines = rows.map(({ number, line, reason }) => {
    const original = shortRow(file!.original(kept.get(number)!))
    return rejectedLine(format!.rejectsAs, { line, reason, original })
  })
  for (const number of kept.keys()) {
    if (number > upTo) break
    kept.delete(number)
  }
  return lines
}

async function close(): Promise<void> {
  const closing = file
  await batches?.return?.()
  file = undefined
  batches = undefined
  kept.clear()
  await closing?.close()
}

async function answer(call: WorkerCall): Promise<unknown> {
  switch (call.call) {
    case 'open':
      return open(call.request)
    case 'rows': {
      const { sample, count } = call.request
      batches = sample ? sampleBatch(file!, sample.header, count) : batchesOf(file!, call.request)
      return undefined
    }
    case 'next':
      mostRows = call.rows
      return (await batches!.next()).value
    case 'rejectedLines':
      return rejectedLines(call)
    case 'close':
      return close()
  }
}

let answering: Promise<unknown> = Promise.resolve()

port.on('message', (message: WorkerCall | ChunkForWorker) => {
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
