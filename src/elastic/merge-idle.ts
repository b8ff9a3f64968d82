import { ADMIN, call, type Elastic } from './client.ts'

/** A shard that one processor writes anew in some seconds. */
const MOST_BYTES = 512 * 1024 * 1024
/** Segments of a shard that searches hardly feel. */
const FEW_SEGMENTS = 3

/**
 * Looks at the index of a kind, and merges each shard into one segment when one has several, all are
 * small and nobody wrote since the last look. A search sets up each of its clauses in each segment.
 */
export function createIdleMerge({ client, indexName }: Elastic, kind: string) {
  let writesBefore: number | undefined
  const index = indexName(kind)
  return async (): Promise<void> => {
    const { indices = {} } = await call(() =>
      client.indices.stats(
        { index, metric: ['indexing', 'segments', 'store'], level: 'shards' },
        ADMIN,
      ),
    )
    const shards = Object.values(indices).flatMap((one) => Object.values(one.shards ?? {}).flat())
    const writes = shards.reduce(
      (all, { indexing }) => all + indexing!.index_total + indexing!.delete_total,
      0,
    )
    const isIdle = writes === writesBefore
    writesBefore = writes
    const isMany = shards.some(({ segments }) => segments!.count > FEW_SEGMENTS)
    const isLarge = shards.some(({ store }) => store!.size_in_bytes > MOST_BYTES)
    if (!isIdle || !isMany || isLarge) return
    const merge = { index, max_num_segments: 1, wait_for_completion: false }
    await call(() => client.indices.forcemerge(merge, ADMIN))
  }
}
