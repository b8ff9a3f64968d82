import { LRUCache } from 'lru-cache'
import type { Elastic } from '../elastic/client.ts'
import { Exhausted, Unavailable } from '../errors.ts'
import { limits } from '../limits.ts'
import type { Context, CreditTerms } from '../operation.ts'
import { untilAborted } from '../platform/deadline.ts'
import { memoizeWeak } from '../platform/memoize-weak.ts'
import { changeMonth } from './change-month.ts'
import { type EntryKey, type UsageEntry, usedKey, writeEntry } from './entries.ts'
import { monthOf, remainingOf, takeCreditFrom } from './month-credits.ts'
import { recordUsage } from './record-usage.ts'
import { type ChargeOutcome, holdIdOf, settleWithRetries } from './settle-charge.ts'

/**
 * Runs a search that costs one credit when it is answered. Where credits are limited, the credit is
 * taken and recorded while the search runs, and `work` is aborted when there is none. Throws
 * Exhausted, Unavailable when the ledger does not answer, and whatever `work` throws.
 */
export async function chargeSearch<T>(
  ctx: Context,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { credits } = ctx.organization
  if (credits === null) {
    const answer = await work(ctx.signal)
    recordUsage(ctx)
    ctx.metrics.searchesCharged.inc()
    return answer
  }
  const stop = new AbortController()
  const charge = openCharge(ctx, credits)
  try {
    const [remaining, answer] = await Promise.all([
      // The write continues, for it serves other searches too; this request stops waiting.
      untilAborted(ctx.signal, charge.taken),
      work(AbortSignal.any([ctx.signal, stop.signal])),
    ])
    charge.checkTime()
    ctx.header?.('x-search-credits-remaining', String(remaining))
    charge.end('answered')
    ctx.metrics.searchesCharged.inc()
    return answer
  } catch (error) {
    stop.abort()
    charge.end('void')
    if (error instanceof Exhausted) ctx.header?.('x-search-credits-remaining', '0')
    throw error
  }
}

interface Charge {
  /** Resolves to the remaining credits once credit and entry are stored. */
  readonly taken: Promise<number>
  /** Throws Unavailable once the hold has expired, as after a long pause of the process. */
  checkTime(): void
  end(state: ChargeOutcome['state']): void
}

function openCharge(ctx: Context, terms: CreditTerms): Charge {
  const { background, clock, elastic, organization, caller } = ctx
  const now = clock.now()
  const until = new Date(now.getTime() + limits.creditHoldMs)
  const key: EntryKey = {
    organization: organization.id,
    id: ctx.requestId,
    month: monthOf(now),
  }
  const entry: UsageEntry = {
    username: caller.username,
    key: usedKey(caller),
    time: now.toISOString(),
    searches: 1,
    state: 'open',
  }
  const write = () => writeEntry(elastic, key, { entry })
  const taking = takeCredit(ctx, terms, { key, until })
  const writing = spentOf(elastic).has(spentName(terms, key)) ? taking.then(write) : write()
  const ended = Promise.allSettled([writing, taking])
  // If there is no credit, this rejects with Exhausted, even if writing the entry failed before.
  const taken = taking.then((remaining) => writing.then(() => remaining))
  return {
    taken,
    checkTime() {
      if (clock.now() >= until) throw new Unavailable('The request timed out. Try again.')
    },
    end(state) {
      background.run('settle search credits', async () => {
        // Both writes have ended, so neither comes after the settlement.
        const [written] = await ended
        // Without a credit the entry was never sent. An entry whose answer was lost may exist.
        if (isRefusal(written)) return
        const version = written.status === 'fulfilled' ? written.value : undefined
        const known = version && { entry, version }
        await settleWithRetries(elastic, { account: terms.account, key, state, known })
      })
    },
  }
}

/** Months whose last search found no credit. Later searches take a credit before they write. */
const spentOf = memoizeWeak<Elastic, LRUCache<string, true>>(() => new LRUCache({ max: 1_000 }))

const spentName = ({ account }: CreditTerms, { month }: EntryKey): string => `${account}/${month}`

const isRefusal = (result: PromiseSettledResult<unknown>): boolean =>
  result.status === 'rejected' && result.reason instanceof Exhausted

async function takeCredit(
  { elastic }: Context,
  terms: CreditTerms,
  { key, until }: { key: EntryKey; until: Date },
): Promise<number> {
  const where = { account: terms.account, month: key.month }
  const hold = { id: holdIdOf(key), until: until.toISOString() }
  const month = await changeMonth(elastic, where, (before) => takeCreditFrom(before, terms, hold))
  if (month) {
    spentOf(elastic).delete(spentName(terms, key))
    return remainingOf(month, terms)
  }
  spentOf(elastic).set(spentName(terms, key), true)
  throw new Exhausted(
    `The ${terms.perMonth} search credits of this month are used up. They are renewed on the first of the next month (UTC). An operator can raise the limit before then.`,
  )
}
