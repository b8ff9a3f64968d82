import { setTimeout } from 'node:timers/promises'
import type { Elastic } from '../elastic/client.ts'
import { type Collection, collection, type Stored } from '../elastic/collection.ts'
import { Conflict, Stale, Unavailable } from '../errors.ts'
import { limits } from '../limits.ts'
import { type Batches, createBatches } from '../platform/batches.ts'
import { perOwner } from '../platform/per-owner.ts'
import { emptyMonth, type MonthCredits } from './month.ts'

/** An account's month: who pays, and `2026-11`. */
export interface AccountMonth {
  readonly account: string
  readonly month: string
}

/**
 * A new state, or undefined where there is no credit. Applied anew after a conflict or a lost
 * answer, so applying it to its own result must change nothing.
 */
export type Change = (month: MonthCredits) => MonthCredits | undefined

interface Waiting {
  readonly change: Change
  readonly resolve: (month: MonthCredits | undefined) => void
  readonly reject: (error: unknown) => void
}

export const monthsOf = (elastic: Elastic, account: string): Collection<MonthCredits> =>
  collection<MonthCredits>(elastic, { kind: 'credits', scope: [account] })

/** What one instance knows: changes that wait, and months as it wrote them last. */
interface Books {
  readonly queue: Batches<Waiting>
  readonly known: Map<string, Stored<MonthCredits>>
}

const KNOWN = 1_000

const booksOf = perOwner<Elastic, Books>(() => ({
  queue: createBatches<Waiting>(limits.creditGatherMs),
  known: new Map(),
}))

/**
 * Changes a month; resolves to it as it is after this change. Changes that meet in this instance
 * become one conditional write. Throws Unavailable: the change may then be stored or not.
 */
export function changeMonth(
  elastic: Elastic,
  where: AccountMonth,
  change: Change,
): Promise<MonthCredits | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<MonthCredits | undefined>()
  booksOf(elastic).queue.add(
    `${where.account}/${where.month}`,
    { change, resolve, reject },
    (batch) => fulfil(elastic, where, batch),
  )
  return promise
}

const JITTER_MS = 20
/** Failures in a row after which the ledger counts as away. */
const FAILURES = 3

async function fulfil(
  elastic: Elastic,
  where: AccountMonth,
  batch: readonly Waiting[],
): Promise<void> {
  const deadline = performance.now() + limits.elasticMs
  for (let failures = 0; ; ) {
    try {
      return await write(elastic, where, batch)
    } catch (error) {
      booksOf(elastic).known.delete(`${where.account}/${where.month}`)
      const again = error instanceof Stale || error instanceof Conflict
      if (!again) failures++
      const hopeless = !again && !(error instanceof Unavailable)
      if (hopeless || failures === FAILURES || performance.now() > deadline) {
        const reason = again ? new Unavailable('The search credits are too busy now.') : error
        for (const { reject } of batch) reject(reason)
        return
      }
    }
    await setTimeout(Math.random() * JITTER_MS)
  }
}

/** Applies a batch, stores it, then tells everybody. Throws Stale, Conflict and Unavailable. */
async function write(elastic: Elastic, where: AccountMonth, batch: readonly Waiting[]) {
  const { known } = booksOf(elastic)
  const key = `${where.account}/${where.month}`
  const months = monthsOf(elastic, where.account)
  const remembered = known.get(key)
  const found = remembered ?? (await months.get(where.month))
  let month = found?.source ?? emptyMonth(where.month)
  const results: (MonthCredits | undefined)[] = []
  for (const { change } of batch) {
    const changed = change(month)
    results.push(changed)
    month = changed ?? month
  }
  // Another instance may have given credits back since.
  if (remembered && results.includes(undefined)) throw new Stale()
  if (month !== found?.source && (found || month.taken > 0)) {
    const stored = found
      ? await months.replace(where.month, month, found)
      : await months.create(where.month, month)
    if (known.size >= KNOWN) known.clear()
    known.set(key, stored)
  }
  for (const [at, { resolve }] of batch.entries()) resolve(results[at])
}
