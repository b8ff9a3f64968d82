import { Unavailable } from '../errors.ts'
import { ADMIN, call, type Elastic } from './client.ts'
import type { Place } from './place.ts'

const REFRESH_MS = 30_000

/** The progress of writes in each shard, by the sequence numbers of one index. */
export interface ShardProgress {
  /** The index's concrete name: its next version has unrelated numbers. */
  readonly index: string
  /** The last sequence number of each shard; -1: none. */
  readonly shards: readonly number[]
}

/**
 * Makes acknowledged writes searchable on all copies. Throws Unavailable if one was not refreshed,
 * since a later search on it would return older documents.
 */
export async function refreshCopies(
  { client, indexName }: Elastic,
  { kind }: Place,
): Promise<void> {
  const options = { requestTimeout: REFRESH_MS }
  const { _shards } = await call(() => client.indices.refresh({ index: indexName(kind) }, options))
  if (_shards && _shards.failed > 0) {
    throw new Unavailable('A copy of the products is unavailable. Try again shortly.')
  }
}

/** Whether all copies of each shard of an index are active. */
export async function hasAllCopies(
  { client, indexName }: Elastic,
  { kind }: Place,
): Promise<boolean> {
  const wanted = { index: indexName(kind), filter_path: 'status' }
  const { status } = await call(() => client.cluster.health(wanted, ADMIN))
  return status === 'green'
}

/**
 * Sequence numbers up to which all writes are complete on all copies of the shard: a later refresh
 * shows them on any copy. Writes beyond may become visible in any order.
 */
export async function completedWrites(elastic: Elastic, place: Place): Promise<ShardProgress> {
  const { client } = elastic
  const index = elastic.indexName(place.kind)
  const { routing } = place
  const [stats, searched] = await call(() =>
    Promise.all([
      // Sequence numbers are included in the shard-level statistics.
      client.indices.stats({ index, metric: ['docs'], level: 'shards' }, ADMIN),
      client.searchShards({ index, ...(routing === undefined ? {} : { routing }) }, ADMIN),
    ]),
  )
  const [[name, { shards: copies = {} }] = ['', {}]] = Object.entries(stats.indices ?? {})
  const numbers = searched.shards.map(([one]) => one?.shard ?? -1).sort((a, b) => a - b)
  const shards = numbers.map((number) => {
    const primary = copies[number]?.find(({ routing: copy }) => copy?.primary)
    const done = primary?.seq_no?.global_checkpoint
    if (done === undefined)
      throw new Unavailable('A shard of the products is unavailable. Try again shortly.')
    return done
  })
  return { index: name, shards }
}
