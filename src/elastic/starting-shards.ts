import { setTimeout } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { limits } from '../limits.ts'
import { memoizeWeak } from '../platform/memoize-weak.ts'
import { retry } from '../platform/retry.ts'
import { type Elastic, reasonOf, statusOf, translate } from './client.ts'
import type { CallOptions } from './place.ts'

const LOOK_MS = 80
/** Milliseconds without a failure after which the next one counts as new. */
const RECOVERED_MS = 5_000

interface ShardsAway {
  readonly since: number
  readonly last: number
}

const REMEMBERED = 1_000

/** Unavailable shards by Elasticsearch's error message, which names them. */
const shardsAwayOf = memoizeWeak<Elastic, LRUCache<string, ShardsAway>>(
  () => new LRUCache({ max: REMEMBERED }),
)

/**
 * Retries for up to limits.elasticMs while the shards of a new index start. Searches do not wait
 * for shards that have been missing for longer.
 */
export const whileShardsStart = <T>(
  elastic: Elastic,
  { signal }: CallOptions,
  run: () => Promise<T>,
): Promise<T> =>
  retry(run, (error) => {
    const isStarting =
      statusOf(error) === 503 && reasonOf(error) === 'search_phase_execution_exception'
    const { message } = error as Error
    if (!isStarting || isAwayForLong(shardsAwayOf(elastic), message)) throw translate(error)
    return setTimeout(LOOK_MS, undefined, signal ? { signal } : {})
  })

function isAwayForLong(away: LRUCache<string, ShardsAway>, shards: string): boolean {
  const last = performance.now()
  const known = away.get(shards)
  const since = known && last - known.last < RECOVERED_MS ? known.since : last
  away.set(shards, { since, last })
  return last - since > limits.elasticMs
}
