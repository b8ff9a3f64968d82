import { limits } from '../../limits.ts'
import { type Admission, createAdmission, type Leave } from '../../platform/admission.ts'
import { defined } from '../../platform/defined.ts'
import { type LoadedOrganization, loadOwner } from '../../platform/load-owner.ts'
import { restSince } from '../../platform/rests.ts'
import type { StoredBytes } from '../bytes/stored-bytes.ts'
import type { OpenOptions, ReadingSettings } from '../format.ts'
import type { FileBatch, FileDescription, RejectedRow, RowsRequest, SentRow } from './messages.ts'
import { receivedRow } from './received-row.ts'
import { takeWorker } from './worker-client.ts'

/** A surveyed file that a thread reads; must be closed. */
export interface WorkerFile extends FileDescription {
  /** The rows, once. The next batch is read while one is used. */
  rows(request: RowsRequest): AsyncIterable<FileBatch>
  /**
   * Lines of the list of rejected rows. Rows up to the number `upTo` are not kept for further
   * calls.
   */
  rejectedLines(rows: readonly RejectedRow[], upTo: number): Promise<readonly string[]>
  close(): Promise<void>
}

export interface WorkerOptions extends OpenOptions {
  readonly fileType: string
  /** Called every 100 ms until the file is closed. */
  readonly isCancelled: () => boolean
  /** The most rows in the next batch; Infinity, the default, for as many as are read at once. */
  readonly mostRows?: () => number
  /** For requests, which take turns. Tasks have slots. */
  readonly turn?: ReadingTurn
}

/** The request that takes a turn, and gives its place to others until its file is closed. */
export interface ReadingTurn {
  readonly organization: LoadedOrganization
  readonly signal: AbortSignal
  readonly requests: Pick<Admission, 'hasOthers'>
  readonly leavePlace?: (() => void) | undefined
  readonly retakePlace?: ((signal: AbortSignal) => Promise<void>) | undefined
}

const turns = createAdmission({
  ...{ capacity: limits.readFiles, share: 1, alwaysRests: true, what: 'files' },
  ...{ waiting: limits.filesWaiting, ownerWaiting: limits.filesWaitingOfOwner },
})

/** The turn of a request. Afterwards its owner rests, since starting a thread alone is much work. */
async function takeTurn({ organization, requests, signal }: ReadingTurn): Promise<Leave> {
  const owner = loadOwner(organization)
  const leave = await turns.enter(owner, { signal })
  const began = performance.now()
  return () => leave(restSince(requests, owner, began))
}

/** A thread for a file. Leaves the turn if the system starts none. */
function takenWorker(
  stored: StoredBytes,
  { isCancelled, leave }: { isCancelled: () => boolean; leave: (() => void) | undefined },
) {
  try {
    return takeWorker(stored, isCancelled)
  } catch (error) {
    leave?.()
    throw error
  }
}

/**
 * Opens a file in a thread with a heap of its own, so that no file blocks requests or takes their
 * memory. Throws NotFound, Invalid, the reason of the signal while it waits for its turn, and what
 * `isCancelled` throws, or Interrupted when it returns true.
 */
export async function openInWorker(
  stored: StoredBytes,
  settings: ReadingSettings,
  { fileType, now, most, turn, isCancelled, mostRows = () => Infinity }: WorkerOptions,
): Promise<WorkerFile> {
  turn?.leavePlace?.()
  const leave = turn && (await takeTurn(turn))
  const { ask, end } = takenWorker(stored, { isCancelled, leave })
  const release = () => end().finally(leave)
  const { bytes, isCut, archiveBytes } = stored
  const file = { bytes, ...defined({ isCut, archiveBytes }) }
  const request = { fileType, settings, now, file, ...defined({ most }) }
  try {
    return {
      ...(await ask<FileDescription>({ call: 'open', request })),
      async *rows(wanted) {
        const next = () => ask<FileBatch<SentRow>>({ call: 'next', rows: mostRows() })
        await ask({ call: 'rows', request: wanted })
        for (let reading = next(); ; ) {
          const sent = await reading
          const batch = { ...sent, rows: sent.rows.map(receivedRow) }
          if (batch.isEnd) return yield batch
          reading = next()
          // Nobody waits for it if the reader stops here.
          reading.catch(() => undefined)
          yield batch
        }
      },
      async rejectedLines(rows, upTo) {
        const lines = ask<readonly string[]>({ call: 'rejectedLines', rows, upTo })
        if (rows.length > 0) return lines
        lines.catch(() => undefined)
        return []
      },
      async close() {
        await release()
        await turn?.retakePlace?.(turn.signal)
      },
    }
  } catch (error) {
    await release()
    throw error
  }
}
