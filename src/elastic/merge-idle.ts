import type { estypes } from '@elastic/elasticsearch'
import { ADMIN, call, type Elastic } from './client.ts'

/** The largest shard that is merged: one processor rewrites it in some seconds. */
const MOST_BYTES = 512 * 1024 * 1024
/** With so few segments, searches hardly get faster. */
const FEW_SEGMENTS = 3

/**
 * Merges each shard into one segment, if its index is small and was not written to since the last
 * call. A search sets up each of its clauses in every segment.
 */
export function createIdleMerge({ client, indexName }: Elastic, kind: string) {
  let writesBefore: ReadonlyMap<string, number> = new Map()
  return async (): Promise<void> => {
    const { indices = {} } = await call(() =>
      client.indices.stats(
        {
          index: indexName(kind),
          metric: ['indexing', 'segments', 'store'],
          level: 'shards',
        },
        ADMIN,
      ),
    )
    const looked = Object.entries(indices).map(([index, one]) => ({ index, ...lookAt(one) }))
    const before = writesBefore
    writesBefore = new Map(looked.map(({ index, writes }) => [index, writes]))
    for (const { index, writes, isWorth } of looked) {
      if (!isWorth || before.get(index) !== writes) continue
      const merge = { index, max_num_segments: 1, wait_for_completion: false }
      await call(() => client.indices.forcemerge(merge, ADMIN))
    }
  }
}

function lookAt(index: estypes.IndicesStatsIndicesStats) {
  const shards = Object.values(index.shards ?? {}).flat()
  const writes = shards.reduce(
    (all, { indexing }) => all + indexing!.index_total + indexing!.delete_total,
    0,
  )
  const isMany = shards.some(({ segments }) => segments!.count > FEW_SEGMENTS)
  const isLarge = shards.some(({ store }) => store!.size_in_bytes > MOST_BYTES)
  return { writes, isWorth: isMany && !isLarge }
}
