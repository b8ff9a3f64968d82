import { Unavailable } from '../errors.ts'
import { ADMIN, call, type Elastic } from './client.ts'
import type { Place } from './place.ts'

/** How far the writes of each shard have ended, by the sequence numbers of one index. */
export interface ShardProgress {
  /** Its own name: the numbers of its next version have nothing to do with these. */
  readonly index: string
  /** -1: none. */
  readonly shards: readonly number[]
}

/**
 * Sequence numbers up to which every write has ended on all copies of the shard: a refresh after the
 * call shows all of them, whichever copy is asked. Numbers beyond may become visible in any order.
 */
export async function completedWrites(elastic: Elastic, place: Place): Promise<ShardProgress> {
  const { client } = elastic
  const index = elastic.indexName(place.kind)
  const { routing } = place
  const [stats, searched] = await call(() =>
    Promise.all([
      // Numbers of sequences are part of what is told of each shard.
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
      throw new Unavailable('A shard of the products is away. Try again shortly.')
    return done
  })
  return { index: name, shards }
}
