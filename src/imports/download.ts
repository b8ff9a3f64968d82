import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '../errors.ts'
import { keepFile } from '../files/store.ts'
import { limits } from '../limits.ts'
import { loadOwner } from '../platform/load-owner.ts'
import { OutboundFailure } from '../platform/outbound/failure.ts'
import type { OutboundRequest } from '../platform/outbound/request.ts'
import { pacedTransfer } from '../platform/pacing.ts'
import { retry } from '../platform/retry.ts'
import { withCancellation } from '../tasks/cancellation.ts'
import type { TaskRunContext } from '../tasks/task.ts'
import type { ImportCheckpoint } from './checkpoint.ts'
import { withMinimumSpeed } from './minimum-speed.ts'
import { fileLocation, type KeptFile, type RemoteFile } from './remote-file.ts'

/** Milliseconds before each retry. */
const PAUSES: readonly number[] = [1_000, 3_000, 9_000]

/** The download failed. The message gives the reason, but nothing of the response. */
class DownloadFailed extends Failure {
  readonly again: boolean

  constructor(reason: string, { again, cause }: { again: boolean; cause?: unknown }) {
    super('invalid', `The file could not be downloaded. ${reason}`, { cause })
    this.again = again
  }
}

/**
 * Returns the file of an import in our own store. A remote file is copied once and remembered,
 * since its address may have other content the next time. Throws Interrupted, Failure.
 */
export async function fetchFile(
  run: TaskRunContext,
  file: KeptFile | RemoteFile,
): Promise<KeptFile> {
  if ('id' in file) return file
  const begun = run.task.checkpoint as Partial<ImportCheckpoint> | null
  if (begun?.file) return begun.file
  run.progress({ message: 'Downloading the file.' })
  const kept = await withCancellation(run, (signal) => withRetries(run, signal, file))
  run.progress({ checkpoint: { ...begun, file: kept } })
  return kept
}

function withRetries(
  run: TaskRunContext,
  signal: AbortSignal,
  file: RemoteFile,
): Promise<KeptFile> {
  const pauses = [...PAUSES]
  return retry(
    () => download(run, signal, file),
    (error) => {
      const pause = pauses.shift()
      if (pause === undefined || !(error instanceof DownloadFailed && error.again)) throw error
      return sleep(pause, undefined, { signal }).catch(() => signal.throwIfAborted())
    },
  )
}

async function download(
  { ctx, task }: TaskRunContext,
  signal: AbortSignal,
  file: RemoteFile,
): Promise<KeptFile> {
  const request: OutboundRequest = {
    ...fileLocation(ctx, file),
    timeoutMs: limits.downloadMs,
    maxBytes: limits.fileBytes,
    signal,
    owner: loadOwner(ctx.organization),
    about: { requestId: ctx.requestId, organization: ctx.organization.id, task: task.id },
  }
  let broke: unknown
  try {
    const { status, body } = await ctx.outbound.open(request)
    const arriving = withMinimumSpeed(body, { now: () => performance.now() })
    try {
      if (status !== 200) throw refusal(status)
      const { id, name, bytes } = await keepFile(ctx, {
        name: file.name,
        type: 'application/octet-stream',
        body: noting(pacedTransfer(ctx, arriving), (error) => {
          broke = error
        }),
      })
      return { id, name, bytes }
    } finally {
      // Also when there was no room for the file, so that nothing was read.
      await body.return(undefined)
    }
  } catch (error) {
    // The store may replace the error of a body that breaks.
    throw failureOf(broke ?? error)
  }
}

async function* noting(body: AsyncIterable<Uint8Array>, note: (error: unknown) => void) {
  try {
    yield* body
  } catch (error) {
    note(error)
    throw error
  }
}

function refusal(status: number): DownloadFailed {
  const again = status >= 500 || status === 429 || status === 408
  return new DownloadFailed(`The server responded with status ${status}.`, { again })
}

function failureOf(error: unknown): unknown {
  if (!(error instanceof OutboundFailure)) return error
  return new DownloadFailed(error.message, { again: error.mayRepeat, cause: error })
}
