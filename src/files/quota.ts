import { type Collection, collection } from '../elastic/collection.ts'
import type { Query } from '../elastic/search.ts'
import { TooLarge } from '../errors.ts'
import { limits } from '../limits.ts'
import type { Context, Services } from '../operation.ts'

export type FileContext = Services & Pick<Context, 'organization'>

/** A call after a long transfer gets its own deadline. */
export const deadline = () => ({ signal: AbortSignal.timeout(limits.requestMs) })

/** Bytes of all files and pictures that the organization stores. */
export async function usedBytes(ctx: FileContext): Promise<number> {
  const { elastic, organization, clock } = ctx
  const recordsOf = (kind: string) =>
    collection<object>(elastic, { kind, scope: [organization.id] })
  const unexpired = { range: { expires: { gt: clock.now().toISOString() } } }
  // A picture in use outlives `expires`, which is only the time of the next check.
  const sums = await Promise.all([
    sumOf(recordsOf('files'), unexpired),
    sumOf(recordsOf('images'), { match_all: {} }),
  ])
  return sums[0] + sums[1]
}

async function sumOf(records: Collection<object>, query: Query): Promise<number> {
  const answer = await records.search(
    { size: 0, track_total_hits: false, query, aggs: { bytes: { sum: { field: 'bytes' } } } },
    deadline(),
  )
  return (answer.aggregations?.bytes as { value: number | null } | undefined)?.value ?? 0
}

/** The organization has no room for more files. */
export class OverQuota extends TooLarge {}

export const overQuota = () =>
  new OverQuota(
    `An organization stores at most ${limits.fileQuotaBytes} bytes of files and pictures. Files are deleted after ${limits.fileDays} days.`,
  )
