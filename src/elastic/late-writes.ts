import { limits } from '../limits.ts'
import type { Background } from '../platform/background.ts'
import { type Log, warnOf } from '../platform/log.ts'
import { memoizeWeak } from '../platform/memoize-weak.ts'
import { type BufferedBulk, createBufferedBulk } from './buffered-bulk.ts'
import type { BulkItem } from './bulk.ts'
import type { Elastic } from './client.ts'

/** How long items wait for others, so that many requests cost one write. */
const GATHER_MS = 200

const bufferOf = memoizeWeak<Elastic, BufferedBulk>(() =>
  createBufferedBulk({ gatherMs: GATHER_MS, timeoutMs: limits.elasticMs }),
)

interface LateWriter {
  readonly elastic: Elastic
  readonly background: Background
  readonly log: Log
}

/**
 * Writes what an answer does not wait for, with all that meet in this instance in one bulk. A write
 * that fails is logged as `what` and loses its items, never a request; what is there already stays.
 */
export function writeLater(
  { elastic, background, log }: LateWriter,
  what: string,
  items: readonly BulkItem[],
): void {
  const buffer = bufferOf(elastic)
  if (buffer.length > limits.lateWriteBytes) {
    log.warn(`${what}: an entry was dropped, since too many wait`)
    return
  }
  buffer
    .write(elastic, items, (bulks) => background.run('late writes', () => bulks))
    .then((results) => {
      const failed = results.find(({ error, status }) => error && status !== 409)
      if (failed) log.warn({ failed }, `${what}: an entry was refused`)
    })
    .catch((error: unknown) => warnOf(log, what, error))
}
