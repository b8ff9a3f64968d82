import { TooManyRequests } from '../errors.ts'
import { limits } from '../limits.ts'
import { type Admission, createAdmission } from '../platform/admission.ts'
import type { Background } from '../platform/background.ts'
import { type LoadedOrganization, loadOwner } from '../platform/load-owner.ts'
import { type Log, logFailure } from '../platform/log.ts'
import { memoizeWeak } from '../platform/memoize-weak.ts'
import { type BufferedBulk, createBufferedBulk } from './buffered-bulk.ts'
import type { BulkItem } from './bulk.ts'
import type { Elastic } from './client.ts'

/** Milliseconds for which items are gathered, so that many requests share one write. */
const GATHER_MS = 200

interface DeferredWrites {
  readonly buffer: BufferedBulk
  /** Bytes that wait, bounded for each organization so that it leaves room for others. */
  readonly room: Admission
}

const deferredWritesOf = memoizeWeak<Elastic, DeferredWrites>(() => ({
  buffer: createBufferedBulk({ gatherMs: GATHER_MS, timeoutMs: limits.elasticMs }),
  room: createAdmission({
    capacity: limits.lateWriteBytes,
    share: limits.lateWriteBytes / 4,
    aloneShare: (limits.lateWriteBytes * 3) / 4,
    waiting: 0,
    what: 'bytes of late writes',
  }),
}))

interface LateWriter {
  readonly elastic: Elastic
  readonly background: Background
  readonly log: Log
  readonly organization: LoadedOrganization
}

/**
 * Writes items that the answer does not wait for, in one bulk with concurrent ones. A failed write
 * is logged as `what` and loses its items, never a request; existing documents are not replaced.
 */
export function deferWrites(
  { elastic, background, log, organization }: LateWriter,
  what: string,
  items: readonly BulkItem[],
): void {
  const { buffer, room } = deferredWritesOf(elastic)
  const write = () =>
    buffer.write(elastic, items, (bulks) => background.run('late writes', () => bulks))
  room
    .run(loadOwner(organization), write, { cost: bytesOf(items) })
    .then((results) => {
      const failed = results.find(({ error, status }) => error && status !== 409)
      if (failed) log.warn({ failed }, `${what}: an entry was rejected`)
    })
    .catch((error: unknown) => {
      if (error instanceof TooManyRequests) {
        log.warn(`${what}: an entry was dropped because too many are waiting`)
      } else logFailure(log, what, error)
    })
}

const bytesOf = (items: readonly BulkItem[]): number =>
  items.reduce((sum, { action, document = '' }) => sum + action.length + document.length, 0)
