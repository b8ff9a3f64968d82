import type { StoredBytes } from '../formats/bytes/stored-bytes.ts'
import type { RowChange } from '../formats/rows/row-change.ts'
import type { FileRow } from '../formats/worker/messages.ts'
import {
  openInWorker,
  type WorkerFile,
  type WorkerOptions,
} from '../formats/worker/open-in-worker.ts'
import type { Context } from '../operation.ts'
import { createTransferPacing, othersThan, pacedChunks } from '../platform/pacing.ts'
import type { FileSettings } from './settings.ts'

/**
 * Opens the file of an import. Throws NotFound, Invalid, and what `isCancelled` throws, or
 * Interrupted when it returns true.
 */
export async function openFile(
  stored: StoredBytes,
  settings: FileSettings,
  options: Omit<WorkerOptions, 'fileType'>,
): Promise<WorkerFile> {
  const { fileType } = settings
  const file = await openInWorker(stored, settings, { ...options, fileType })
  if (settings.vendors !== 'one') return file
  const refused = refusingOthers(settings)
  return {
    ...file,
    async *rows(request) {
      for await (const batch of file.rows(request)) {
        yield { ...batch, rows: withChanges(batch.rows, refused) }
      }
    },
  }
}

/** The same bytes, paced: all of them pass through this event loop on their way to the thread. */
export function pacedFile(
  ctx: Pick<Context, 'requests' | 'organization'>,
  stored: StoredBytes,
): StoredBytes {
  const pacing = createTransferPacing(othersThan(ctx))
  let restedMs = 0
  const pace = async (bytes: number) => {
    const began = performance.now()
    await pacing(bytes)
    restedMs += performance.now() - began
  }
  return {
    ...stored,
    read: (range) => pacedChunks(stored.read(range), pace),
    restedMs: () => restedMs,
  }
}

/** The rows with other changes, which are made whenever a row is read. */
export const withChanges = (
  rows: readonly FileRow[],
  changed: (change: RowChange) => RowChange,
): FileRow[] =>
  rows.map(({ line, length }, at) => ({
    ...{ line, length },
    get read() {
      const { read } = rows[at]!
      return typeof read === 'object' ? changed(read) : read
    },
  }))

/** Refuses rows with another vendor's offer, which still identify their product. */
const refusingOthers =
  ({ vendor, fallbackVendor = null }: FileSettings) =>
  (change: RowChange): RowChange => {
    if (change.action === 'delete') return { ...change, refused: NO_DELETION }
    const own = vendor ?? fallbackVendor
    const other = change.offers.find(({ vendorName }) => vendorName !== own)
    return other ? { ...change, refused: reason(other.vendorName, vendor) } : change
  }

const NO_DELETION = 'deletes a product, but the extension is installed for one vendor only'

const reason = (named: string, vendor: string | null): string =>
  vendor === null
    ? `has an offer of ${named}, but the extension is installed without a vendor`
    : `has an offer of ${named}, but the extension is installed for ${vendor}`
