import { bucketsIn } from '../elastic/answer-parts.ts'
import type { Elastic } from '../elastic/client.ts'
import { ofSample, shareFor } from '../elastic/sampled.ts'
import { limits } from '../limits.ts'
import type { Context } from '../operation.ts'
import { loadOwner } from '../platform/load-owner.ts'
import { memoizeWeak } from '../platform/memoize-weak.ts'
import {
  createStaleWhileRevalidateCache,
  type StaleWhileRevalidateCache,
} from '../platform/stale-while-revalidate.ts'
import { eventsOf } from './events.ts'
import {
  choicesQuery,
  type Popular,
  type ProductBucket,
  popularBody,
  tiersOf,
} from './popularity.ts'

const REFRESH_MS = 5 * 60 * 1000
const DAY_MS = 24 * 60 * 60 * 1000

const popularBy = memoizeWeak<Elastic, StaleWhileRevalidateCache<Popular>>(() =>
  createStaleWhileRevalidateCache({ name: 'popular products', refreshMs: REFRESH_MS }),
)

/**
 * The products that the organization recently chose in a catalog, cached for a few minutes. No
 * search waits for them: a stale entry is used as it is, and refreshed for later searches.
 */
export function popularProducts(ctx: Context, catalog: string): Popular {
  const all = popularBy(ctx.elastic)
  const key = `${ctx.organization.id}/${catalog}`
  const known = all.known(key)
  const owner = loadOwner(ctx.organization)
  all.refresh(ctx, { key, owner, read: () => readPopular(ctx, catalog) })
  return known ?? []
}

async function readPopular(ctx: Context, catalog: string): Promise<Popular> {
  const since = new Date(ctx.clock.now().getTime() - limits.popularDays * DAY_MS)
  const events = eventsOf(ctx)
  const choices = choicesQuery(catalog, since)
  const options = { timeoutMs: limits.elasticMs }
  const share = shareFor(await events.count(choices, options), limits.countedEvents)
  const answer = await events.search(popularBody(choices, share), options)
  return tiersOf(bucketsIn<ProductBucket>(ofSample(answer), 'products'))
}
