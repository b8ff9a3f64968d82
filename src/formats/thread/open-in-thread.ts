import { limits } from '../../limits.ts'
import { createAdmission } from '../../platform/admission.ts'
import { defined } from '../../platform/defined.ts'
import type { StoredBytes } from '../bytes/stored-bytes.ts'
import type { OpenOptions, ReadingSettings } from '../format.ts'
import type { OriginalRow } from '../rows/row-change.ts'
import type { FileBatch, FileDescription, RowsRequest } from './messages.ts'
import { takeThread } from './thread.ts'

/** A surveyed file that a thread reads; must be closed. */
export interface ThreadFile extends FileDescription {
  /** The rows, once. The next batch is read while one is used. */
  rows(request: RowsRequest): AsyncIterable<FileBatch>
  /**
   * Rows as in the file, by their numbers from 1, for the list of rejected rows. Those up to `upTo`
   * are not kept for further calls.
   */
  originals(numbers: readonly number[], upTo: number): Promise<readonly OriginalRow[]>
  close(): Promise<void>
}

export interface ThreadOptions extends OpenOptions {
  readonly fileType: string
  /** Called every 100 ms until the file is closed. */
  readonly isCancelled: () => boolean
  /** For requests, which take turns. Tasks have slots. */
  readonly turn?: { readonly owner: string; readonly signal: AbortSignal }
}

const turns = createAdmission({
  ...{ capacity: limits.readFiles, share: 1, aloneShare: limits.readFiles },
  ...{ waiting: Infinity, what: 'files' },
})

/**
 * Opens a file in a thread with a heap of its own, so that no file blocks requests or takes their
 * memory. Throws NotFound, Invalid, the reason of the signal while it waits for its turn, and what
 * `isCancelled` throws, or Interrupted when it returns true.
 */
export async function openInThread(
  stored: StoredBytes,
  settings: ReadingSettings,
  { fileType, now, most, turn, isCancelled }: ThreadOptions,
): Promise<ThreadFile> {
  const leave = turn && (await turns.enter(turn.owner, { signal: turn.signal }))
  const { ask, end } = takeThread(stored, isCancelled)
  const close = () => end().finally(leave)
  const { bytes, isCut, archiveBytes } = stored
  const file = { bytes, ...defined({ isCut, archiveBytes }) }
  const request = { fileType, settings, now, file, ...defined({ most }) }
  try {
    return {
      ...(await ask<FileDescription>({ call: 'open', request })),
      async *rows(wanted) {
        const next = () => ask<FileBatch>({ call: 'next' })
        await ask({ call: 'rows', request: wanted })
        for (let reading = next(); ; ) {
          const batch = await reading
          if (batch.isEnd) return yield batch
          reading = next()
          // Nobody waits for it if the reader stops here.
          reading.catch(() => undefined)
          yield batch
        }
      },
      async originals(numbers, upTo) {
        const found = ask<readonly OriginalRow[]>({ call: 'originals', numbers, upTo })
        if (numbers.length > 0) return found
        found.catch(() => undefined)
        return []
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}
