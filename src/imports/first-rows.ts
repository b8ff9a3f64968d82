import { Invalid } from '../errors.ts'
import { type StoredBytes, storedBuffer, storedFile } from '../formats/bytes/stored-bytes.ts'
import type { Format } from '../formats/format.ts'
import type { FileSample } from '../formats/worker/file-sample.ts'
import type { FileBatch, FileRow, RowsRequest } from '../formats/worker/messages.ts'
import type { WorkerFile } from '../formats/worker/open-in-worker.ts'
import { limits } from '../limits.ts'
import type { Context } from '../operation.ts'
import { abortCheck } from '../platform/deadline.ts'
import { defined } from '../platform/defined.ts'
import { loadOwner } from '../platform/load-owner.ts'
import { OutboundFailure } from '../platform/outbound/failure.ts'
import { whileAnswerHeld } from '../platform/outbound/held-answer.ts'
import { openFile, pacedFile } from './open-file.ts'
import { fileLocation, type RemoteFile } from './remote-file.ts'
import { formatFor } from './request.ts'
import type { ImportRequest } from './schemas.ts'
import type { FileSettings } from './settings.ts'
import { fileOf } from './start.ts'

/** Timeout for the download, which leaves time for reading and answering. */
const DOWNLOAD_MS = 1_500

/** A file with its first rows, at least `count` if it has as many. */
export interface FirstRows extends Omit<WorkerFile, 'rows' | 'rejectedLines' | 'close'> {
  readonly rows: readonly FileRow[]
  /** Names in these rows that products do not have. */
  readonly ignored: readonly string[]
  /** Describes the rows, in place of `rows`. Only if requested. */
  readonly sample?: FileSample
}

type FirstRowsRequest = RowsRequest & Required<Pick<RowsRequest, 'count'>>

/**
 * The first rows of the file of a request. Only the beginning of a remote file is read. Throws
 * Invalid.
 */
export async function firstRowsOf(
  ctx: Context,
  request: ImportRequest,
  settingsFor: (format: Format) => FileSettings,
  wanted: FirstRowsRequest,
): Promise<FirstRows> {
  if (request.fileUrl === null) throw new Invalid('fileUrl: required to preview a file')
  const file = await fileOf(ctx, request)
  const look = async (stored: StoredBytes) => {
    const format = await formatFor(request, { name: file.name, stored })
    return firstRows(ctx, stored, settingsFor(format), wanted)
  }
  if ('id' in file) return look(pacedFile(ctx, storedFile(ctx.files, file)))
  // A thread reads the rows, which takes no turn of the event loop.
  return whileAnswerHeld(ctx, limits.sampleDownloadBytes, async (hold) =>
    look(await beginningOf(ctx, file, hold)),
  )
}

async function beginningOf(
  ctx: Context,
  file: RemoteFile,
  hold: (bytes: number) => Promise<void>,
): Promise<StoredBytes> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  let isCut = false
  try {
    ctx.leavePlace?.()
    const { status, body } = await ctx.outbound.open({
      ...fileLocation(ctx, file),
      timeoutMs: DOWNLOAD_MS,
      maxBytes: limits.fileBytes,
      signal: ctx.signal,
      owner: loadOwner(ctx.organization),
      about: { requestId: ctx.requestId, organization: ctx.organization.id, call: 'sample' },
    })
    if (status !== 200) {
      await body.return(undefined)
      throw new Invalid(`fileUrl: the server responded with status ${status}`)
    }
    for await (const chunk of body) {
      await hold(bytes + chunk.byteLength)
      chunks.push(chunk)
      bytes += chunk.byteLength
      if (bytes >= limits.sampleDownloadBytes) {
        isCut = true
        break
      }
    }
  } catch (error) {
    // The bytes that arrived in time are enough.
    if (!(error instanceof OutboundFailure)) throw error
    if (bytes === 0) throw new Invalid(`fileUrl: ${error.message}`)
    isCut = true
  }
  return storedBuffer(Buffer.concat(chunks), isCut)
}

async function firstRows(
  ctx: Context,
  stored: StoredBytes,
  settings: FileSettings,
  wanted: FirstRowsRequest,
): Promise<FirstRows> {
  const now = ctx.clock.now()
  const isCancelled = abortCheck(ctx.signal)
  const file = await openFile(stored, settings, {
    ...{ now, isCancelled, turn: ctx, most: limits.sampleBytes },
  })
  try {
    const rows: FileRow[] = []
    let last: FileBatch | undefined
    for await (const batch of file.rows(wanted)) {
      rows.push(...batch.rows)
      last = batch
    }
    // If the file is cut off, its last row may be incomplete.
    if (file.isCut && rows.length < wanted.count) rows.pop()
    return { ...file, rows, ignored: last?.ignored ?? [], ...defined({ sample: last?.sample }) }
  } finally {
    await file.close()
  }
}
