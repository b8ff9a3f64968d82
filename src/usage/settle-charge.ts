import { setTimeout } from 'node:timers/promises'
import type { Elastic } from '../elastic/client.ts'
import type { Version } from '../elastic/collection.ts'
import { retryWhileUnavailable } from '../platform/retry.ts'
import { changeMonth } from './change-month.ts'
import { type EntryKey, entriesOf, type UsageEntry, writeEntry } from './entries.ts'
import { releaseHold } from './month-credits.ts'

/** A search whose outcome is to be recorded. */
export interface ChargeOutcome {
  /** The organization that pays. */
  readonly account: string
  readonly key: EntryKey
  readonly state: 'answered' | 'void'
  /** The open entry as written; without it, the entry is read first. */
  readonly known?: { readonly entry: UsageEntry; readonly version: Version } | undefined
}

export const holdIdOf = ({ organization, id }: EntryKey): string => `${organization}/${id}`

/**
 * Marks a search's entry and ends its hold. The first mark wins: a later caller finds it and spends
 * or returns the credit accordingly. May be repeated. Throws Unavailable.
 */
export async function settleCharge(elastic: Elastic, outcome: ChargeOutcome): Promise<void> {
  const { account, key } = outcome
  const state = await mark(elastic, outcome)
  const id = holdIdOf(key)
  await changeMonth(elastic, { account, month: key.month }, (month) =>
    releaseHold(month, id, state === 'answered'),
  )
}

/** Returns the entry's final state; an entry that was never stored is void. */
async function mark(
  elastic: Elastic,
  { key, state, known }: ChargeOutcome,
): Promise<UsageEntry['state']> {
  for (let open = known ?? (await openEntry(elastic, key)); ; ) {
    if (open === undefined) return 'void'
    if (open.entry.state !== 'open') return open.entry.state
    const { entry, version } = open
    if (await writeEntry(elastic, key, { entry: { ...entry, state }, version })) return state
    open = await openEntry(elastic, key)
  }
}

async function openEntry(elastic: Elastic, key: EntryKey) {
  const found = await entriesOf(elastic, key).get(key.id)
  return found && { entry: found.source, version: found }
}

/** An answered search that is not settled by then is voided, so it costs nothing. */
const RETRIED_MS = 50_000
/** Milliseconds: searches that end within this time settle together and share their writes. */
const TOGETHER_MS = 50

/** Settles, with retries. The sweep voids what still fails. */
export async function settleWithRetries(elastic: Elastic, outcome: ChargeOutcome): Promise<void> {
  const { known: _, ...unread } = outcome
  await setTimeout(TOGETHER_MS - (performance.now() % TOGETHER_MS))
  let next = outcome
  await retryWhileUnavailable(RETRIED_MS, () => {
    const attempt = settleCharge(elastic, next)
    next = unread
    return attempt
  })
}
