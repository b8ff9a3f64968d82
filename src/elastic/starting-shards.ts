import { setTimeout } from 'node:timers/promises'
import { memoizeWeak } from '../platform/memoize-weak.ts'
import { type Elastic, reasonOf, statusOf, translate } from './client.ts'
import type { CallOptions } from './place.ts'

const START_MS = 2_000
const LOOK_MS = 80
/** Milliseconds without a failure after which the next one is a new matter. */
const RECOVERED_MS = 5_000

interface ShardsAway {
  readonly since: number
  readonly last: number
}

const shardsAwayOf = memoizeWeak<Elastic, Map<string, ShardsAway>>(() => new Map())

/**
 * An index that was created just now has no shard to ask yet, for up to two seconds. One whose shard
 * is away for longer is not waited for again by each search.
 */
export async function whileShardsStart<T>(
  elastic: Elastic,
  kind: string,
  { signal }: CallOptions,
  run: () => Promise<T>,
): Promise<T> {
  for (;;) {
    try {
      return await run()
    } catch (error) {
      const isStarting =
        statusOf(error) === 503 && reasonOf(error) === 'search_phase_execution_exception'
      if (!isStarting || isAwayForLong(shardsAwayOf(elastic), kind)) throw translate(error)
    }
    await setTimeout(LOOK_MS, undefined, signal ? { signal } : {})
  }
}

function isAwayForLong(away: Map<string, ShardsAway>, kind: string): boolean {
  const last = performance.now()
  const known = away.get(kind)
  const since = known && last - known.last < RECOVERED_MS ? known.since : last
  away.set(kind, { since, last })
  return last - since > START_MS
}
