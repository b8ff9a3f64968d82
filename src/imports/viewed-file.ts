import { Invalid } from '../errors.ts'
import { type StoredBytes, storedBuffer, storedFile } from '../formats/bytes/stored-bytes.ts'
import type { OpenFile } from '../formats/format.ts'
import type { RawRow } from '../formats/rows/raw-row.ts'
import { limits } from '../limits.ts'
import type { Context } from '../operation.ts'
import { throwingWhenAborted } from '../platform/deadline.ts'
import { OutboundFailure } from '../platform/outbound/failure.ts'
import { openFile } from './open-file.ts'
import { fileLocation, type RemoteFile } from './remote-file.ts'
import type { FileSettings } from './settings.ts'
import { fileOf } from './start.ts'

/** A file that is only looked at. */
export interface ViewedFile {
  readonly name: string
  readonly stored: StoredBytes
}

/** Of the time of a request: what reading and answering need is left. */
const DOWNLOAD_MS = 1_500

/** The file of a request, of one elsewhere only its beginning. Throws Invalid. */
export async function viewFile(
  ctx: Context,
  request: Parameters<typeof fileOf>[1],
): Promise<ViewedFile> {
  if (request.fileUrl === null) throw new Invalid('fileUrl: required to look at a file')
  const file = await fileOf(ctx, request)
  const stored = 'id' in file ? storedFile(ctx.files, file) : await beginningOf(ctx, file)
  return { name: file.name, stored }
}

async function beginningOf(ctx: Context, file: RemoteFile): Promise<StoredBytes> {
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
      about: { requestId: ctx.requestId, organization: ctx.organization.id, call: 'sample' },
    })
    if (status !== 200) {
      await body.return(undefined)
      throw new Invalid(`fileUrl: the address answered ${status}`)
    }
    for await (const chunk of body) {
      chunks.push(chunk)
      bytes += chunk.byteLength
      if (bytes >= limits.sampleDownloadBytes) {
        isCut = true
        break
      }
    }
  } catch (error) {
    // What came in time is enough to look at.
    if (!(error instanceof OutboundFailure)) throw error
    if (bytes === 0) throw new Invalid(`fileUrl: ${error.message}`)
    isCut = true
  }
  return storedBuffer(Buffer.concat(chunks), isCut)
}

/** The first rows of a file, `count` or more where it has them. Throws Invalid. */
export async function firstRows(
  ctx: Context,
  stored: StoredBytes,
  { settings, count }: { readonly settings: FileSettings; readonly count: number },
): Promise<OpenFile & { readonly rows: readonly RawRow[] }> {
  const now = ctx.clock.now()
  const isCancelled = throwingWhenAborted(ctx.signal)
  const file = await openFile(stored, settings, { now, isCancelled, most: limits.sampleBytes })
  try {
    const rows: RawRow[] = []
    for await (const batch of file.batches) {
      rows.push(...batch)
      if (rows.length >= count) break
    }
    // The last row of a beginning may be a part of one, which is no fault of the file.
    if (file.isCut && rows.length < count) rows.pop()
    return { ...file, rows }
  } finally {
    await file.close()
  }
}
