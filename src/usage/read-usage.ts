import { bucketsIn } from '../elastic/answer-parts.ts'
import { keysById } from '../keys/store.ts'
import { limits } from '../limits.ts'
import type { Context } from '../operation.ts'
import { monthsOf } from './change-month.ts'
import { entriesOf, type UsageEntry } from './entries.ts'
import { emptyMonth, monthOf, remainingOf } from './month-credits.ts'
import type { SearchUsage, UsageMonth } from './schemas.ts'

/** How often one user searched with one key. */
type UserSearches = Pick<UsageEntry, 'username' | 'key' | 'searches'>

/** The current organization's searches in a month, at most a second behind. */
export async function readUsage(ctx: Context, asked: UsageMonth): Promise<SearchUsage> {
  const now = ctx.clock.now()
  const year = asked.year ?? now.getUTCFullYear()
  const month = asked.month ?? now.getUTCMonth() + 1
  const name = `${year}-${String(month).padStart(2, '0')}`
  const [uses, credits] = await Promise.all([usesOf(ctx, name), creditsOf(ctx, name)])
  const keys = await keysById(ctx, [...new Set(uses.map(({ key }) => key))])
  // Names of keys of other organizations are not shown.
  const nameOfKey = (id: string) => {
    const key = keys.get(id)
    return key?.organization === ctx.organization.id ? key.name : id
  }
  return {
    users: sums(uses, ({ username }) => username),
    apiKeys: sums(uses, ({ key }) => nameOfKey(key)),
    searchCreditsUsed: searchesIn(uses),
    year,
    month,
    ...credits,
  }
}

/** Both groupings count the same searches, so their sums are equal. */
function sums(
  uses: readonly UserSearches[],
  nameOf: (use: UserSearches) => string,
): SearchUsage['users'] {
  return Object.fromEntries(
    [...Map.groupBy(uses, nameOf)].map(([name, own]) => {
      const count = searchesIn(own)
      return [name, { searchCreditsUsed: count, searchCount: count }] as const
    }),
  )
}

const searchesIn = (uses: readonly UserSearches[]): number =>
  uses.reduce((sum, { searches }) => sum + searches, 0)

/** Remaining credits of the organization, or of the one that pays for it, and added bundles. */
async function creditsOf(ctx: Context, month: string) {
  const { credits } = ctx.organization
  if (credits === null) return { searchCreditsRemaining: null, bundles: [] }
  const found = await monthsOf(ctx.elastic, credits.account).get(month, { signal: ctx.signal })
  const spent = found?.source ?? emptyMonth(month)
  const isNow = month === monthOf(ctx.clock.now())
  return {
    searchCreditsRemaining: isNow ? remainingOf(spent, credits) : null,
    bundles: [...spent.bundles],
  }
}

interface UsageBucket {
  readonly key: { readonly username: string; readonly key: string }
  readonly searches: { readonly value: number }
}

async function usesOf(ctx: Context, month: string): Promise<UserSearches[]> {
  const entries = entriesOf(ctx.elastic, { organization: ctx.organization.id, month })
  const uses: UserSearches[] = []
  for (let after: UsageBucket['key'] | undefined; ; ) {
    const answer = await entries.search(
      {
        query: { term: { state: 'answered' } },
        size: 0,
        track_total_hits: false,
        aggs: {
          uses: {
            composite: {
              size: limits.usageGroups,
              sources: [
                { username: { terms: { field: 'username' } } },
                { key: { terms: { field: 'key' } } },
              ],
              ...(after ? { after } : {}),
            },
            aggs: { searches: { sum: { field: 'searches' } } },
          },
        },
      },
      { signal: ctx.signal },
    )
    const buckets = bucketsIn<UsageBucket>(answer, 'uses')
    for (const { key, searches } of buckets) uses.push({ ...key, searches: searches.value })
    if (buckets.length < limits.usageGroups) return uses
    after = buckets.at(-1)!.key
  }
}
