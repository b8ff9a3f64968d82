import { ADMIN, call, type Elastic } from './client.ts'

/** An index that one processor writes anew in some seconds. */
const MOST_BYTES = 512 * 1024 * 1024
/** Segments of a shard that searches hardly feel. */
const FEW_SEGMENTS = 3

/**
 * Looks at the index of a kind, and merges each shard into one segment when it has several, is small
 * and was not written to since the last look. A search sets up each of its clauses in each segment.
 */
export function createIdleMerge({ client, indexName }: Elastic, kind: string) {
  let writesBefore: number | undefined
  const index = indexName(kind)
  return async (): Promise<void> => {
    const metric = ['indexing', 'segments', 'store'] as const
    const { _shards, _all } = await call(() =>
      client.indices.stats({ index, metric: [...metric] }, ADMIN),
    )
    const { indexing, segments, store } = _all.total ?? {}
    if (!indexing || !segments || !store) return
    const writes = indexing.index_total + indexing.delete_total
    const isIdle = writes === writesBefore
    writesBefore = writes
    const isMany = segments.count > FEW_SEGMENTS * _shards.successful
    if (!isIdle || !isMany || store.size_in_bytes > MOST_BYTES * _shards.successful) return
    const asked = { index, max_num_segments: 1, wait_for_completion: false }
    await call(() => client.indices.forcemerge(asked, ADMIN))
  }
}
