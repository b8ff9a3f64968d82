import { type Collection, collection } from '../elastic/collection.ts'
import type { Query } from '../elastic/search.ts'
import { TooLarge } from '../errors.ts'
import { limits } from '../limits.ts'
import type { Context, Services } from '../operation.ts'

export type FileContext = Services & Pick<Context, 'organization'>

/** A call after a long transfer gets its own deadline. */
export const deadline = () => ({ signal: AbortSignal.timeout(limits.requestMs) })

/** Bytes that all files and pictures of the organization count for. */
export async function usedBytes(ctx: FileContext): Promise<number> {
  const { elastic, organization, clock } = ctx
  const recordsOf = (kind: string) =>
    collection<object>(elastic, { kind, scope: [organization.id] })
  const unexpired = { range: { expires: { gt: clock.now().toISOString() } } }
  // A picture in use outlives `expires`, which is only the time of the next check.
  const [files, images] = await Promise.all([
    sizeOf(recordsOf('files'), unexpired),
    sizeOf(recordsOf('images'), { match_all: {} }),
  ])
  // Otherwise many small files would fill the disk, and take ever longer to count. There are not as
  // many pictures: they are decoded one at a time, and removed unless a product shows them.
  return files.bytes + files.count * limits.fileBaseBytes + images.bytes
}

async function sizeOf(records: Collection<object>, query: Query) {
  const answer = await records.search(
    { size: 0, track_total_hits: false, query, aggs: { bytes: { stats: { field: 'bytes' } } } },
    deadline(),
  )
  const found = answer.aggregations?.bytes as { count: number; sum: number } | undefined
  const { count, sum } = found ?? { count: 0, sum: 0 }
  return { count, bytes: sum }
}

/** The organization has no room for more files. */
export class OverQuota extends TooLarge {}

export const overQuota = () =>
  new OverQuota(
    `An organization stores at most ${limits.fileQuotaBytes} bytes of files and pictures, where each file counts for ${limits.fileBaseBytes} bytes more. Files are deleted after ${limits.fileDays} days.`,
  )
