import type { Elastic } from '../elastic/client.ts'
import type { Scoped } from '../elastic/scan.ts'
import { type SearchBody, search } from '../elastic/search.ts'
import type { Services } from '../operation.ts'
import { memoizeWeak } from '../platform/memoize-weak.ts'
import type { AccountMonth } from './change-month.ts'
import type { CreditHold, MonthCredits } from './month-credits.ts'
import { settleCharge } from './settle-charge.ts'

const PLACE = { kind: 'credits', scope: null }
const PAGE = 50

/** Expired holds that the previous look found, and when this instance first saw each. */
const seenBy = memoizeWeak<Elastic, Map<string, number>>(() => new Map())

/** Milliseconds in which an instance that lost Elasticsearch can still settle its own searches. */
const GRACE_MS = 10_000

/** Voids the searches that a killed process left open, and returns their credits. */
export async function voidAbandoned(services: Services): Promise<void> {
  const { elastic, clock, log } = services
  const now = clock.now().getTime()
  const { hits } = (await search<Scoped<MonthCredits>>(elastic, PLACE, overdue(now))).hits
  const seen = seenBy(elastic)
  const before = new Map(seen)
  seen.clear()
  const due: Abandoned[] = []
  for (const { _source: month } of hits) {
    for (const hold of overdueHolds(month!, now)) {
      const first = before.get(hold.id) ?? now
      if (now - first < GRACE_MS) seen.set(hold.id, first)
      else due.push({ account: month!.scope, month: month!.month, hold })
    }
  }
  const results = await Promise.allSettled(due.map((one) => release(elastic, one)))
  for (const [at, result] of results.entries()) {
    if (result.status === 'fulfilled') continue
    seen.set(due[at]!.hold.id, before.get(due[at]!.hold.id) ?? now)
    log.warn({ err: result.reason }, 'an abandoned search credit is still held')
  }
}

interface Abandoned extends AccountMonth {
  readonly hold: CreditHold
}

const overdue = (now: number): SearchBody => ({
  query: { range: { until: { lte: now } } },
  size: PAGE,
  sort: [{ until: 'asc' }],
})

const overdueHolds = ({ holds }: MonthCredits, now: number) =>
  holds.filter(({ until }) => new Date(until).getTime() <= now)

function release(elastic: Elastic, { account, month, hold }: Abandoned): Promise<void> {
  const [organization, id] = hold.id.split('/') as [string, string]
  return settleCharge(elastic, { account, key: { organization, id, month }, state: 'void' })
}
