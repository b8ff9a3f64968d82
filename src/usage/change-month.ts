import { LRUCache } from 'lru-cache'
import type { Elastic } from '../elastic/client.ts'
import {
  type CoalescingWriter,
  createCoalescingWriter,
  type WritableDocument,
} from '../elastic/coalescing-writer.ts'
import { type Collection, collection, type Stored } from '../elastic/collection.ts'
import { Stale, Unavailable } from '../errors.ts'
import { limits } from '../limits.ts'
import { memoizeWeak } from '../platform/memoize-weak.ts'
import { emptyMonth, type MonthCredits } from './month-credits.ts'

/** An account (the organization that pays) and a month (`2026-11`). */
export interface AccountMonth {
  readonly account: string
  readonly month: string
}

/**
 * A new state, or undefined where there is no credit. Applied anew after a conflict or a lost
 * answer, so applying it to its own result must change nothing.
 */
export type CreditsChange = (month: MonthCredits) => MonthCredits | undefined

export const monthsOf = (elastic: Elastic, account: string): Collection<MonthCredits> =>
  collection<MonthCredits>(elastic, { kind: 'credits', scope: [account] })

interface Ledger {
  readonly month: MonthCredits
  /** As this instance last wrote it, not read again since. */
  readonly isRemembered: boolean
}

const writerOf = memoizeWeak<Elastic, CoalescingWriter<Ledger>>(() =>
  createCoalescingWriter({ gatherMs: limits.creditGatherMs, repeatsLost: true }),
)

/** Months as this instance last wrote them. */
const knownOf = memoizeWeak<Elastic, LRUCache<string, Stored<MonthCredits>>>(
  () => new LRUCache({ max: 1_000 }),
)

/** Changes a month and returns it. Throws Unavailable, and the change may then be stored. */
export async function changeMonth(
  elastic: Elastic,
  where: AccountMonth,
  change: CreditsChange,
): Promise<MonthCredits | undefined> {
  const signal = AbortSignal.timeout(limits.elasticMs)
  const document = documentAt(elastic, where)
  let after: MonthCredits | undefined
  try {
    await writerOf(elastic).change(
      document,
      (ledger) => {
        const before = ledger?.month ?? emptyMonth(where.month)
        after = change(before)
        // Another instance may have returned credits since.
        if (!after && ledger?.isRemembered) {
          knownOf(elastic).delete(document.key)
          throw new Stale()
        }
        return !after || after === before
          ? ledger
          : { month: after, isRemembered: ledger?.isRemembered ?? false }
      },
      signal,
    )
    return after
  } catch (error) {
    throw signal.aborted
      ? new Unavailable('Too many searches are being charged at once. Try again.')
      : error
  }
}

function documentAt(elastic: Elastic, { account, month }: AccountMonth): WritableDocument<Ledger> {
  const months = monthsOf(elastic, account)
  const known = knownOf(elastic)
  const key = `${account}/${month}`
  return {
    key,
    async read() {
      const remembered = known.get(key)
      const found = remembered ?? (await months.get(month))
      return found && { ...found, source: { month: found.source, isRemembered: !!remembered } }
    },
    async write(next, at) {
      known.delete(key)
      const stored = at
        ? await months.replace(month, next!.month, at)
        : await months.create(month, next!.month)
      known.set(key, stored)
    },
  }
}
