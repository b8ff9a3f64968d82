import { LRUCache } from 'lru-cache'
import type { Elastic } from '../elastic/client.ts'
import { limits } from '../limits.ts'
import type { Context } from '../operation.ts'
import { memoizeWeak } from '../platform/memoize-weak.ts'
import { eventsOf } from './events.ts'
import { type Popular, type ProductBucket, popularBody, tiersOf } from './popularity.ts'

interface KeptPopular {
  readonly popular: Popular
  /** When it was asked for, in milliseconds since the epoch. */
  readonly at: number
}

const CATALOGS = 1_000
/** Milliseconds for which it is believed. */
const REFRESH_MS = 5 * 60 * 1000
const DAY_MS = 24 * 60 * 60 * 1000

const knownOf = memoizeWeak<Elastic, LRUCache<string, KeptPopular>>(
  () => new LRUCache({ max: CATALOGS }),
)

/**
 * What the organization's people chose lately in a catalog, as this instance knows it: at most some
 * minutes old. No search waits for it: one finds it old and has it read for those that come after.
 */
export function popularProducts(ctx: Context, catalog: string): Popular {
  const all = knownOf(ctx.elastic)
  const key = `${ctx.organization.id}/${catalog}`
  const known = all.get(key)
  const now = ctx.clock.now().getTime()
  if (!known || now - known.at >= REFRESH_MS) {
    all.set(key, { popular: known?.popular ?? [], at: now })
    ctx.background.run('popular products', async () => {
      all.set(key, { popular: await readPopular(ctx, catalog, now), at: now })
    })
  }
  return known?.popular ?? []
}

async function readPopular(ctx: Context, catalog: string, now: number): Promise<Popular> {
  const since = new Date(now - limits.popularDays * DAY_MS)
  const { aggregations } = await eventsOf(ctx).search(popularBody(catalog, since), {
    timeoutMs: limits.elasticMs,
  })
  const found = aggregations?.products as unknown as
    | { readonly buckets: readonly ProductBucket[] }
    | undefined
  return tiersOf(found?.buckets ?? [])
}
