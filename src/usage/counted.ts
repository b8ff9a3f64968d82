import { setTimeout } from 'node:timers/promises'
import type { Elastic } from '../elastic/client.ts'
import { limits } from '../limits.ts'
import type { Context, Services } from '../operation.ts'
import { warnOf } from '../platform/log.ts'
import { perOwner } from '../platform/per-owner.ts'
import { type Entry, type EntryKey, usedKey, writeEntry } from './entries.ts'
import { monthOf } from './month.ts'

/** An entry that is not stored yet. It keeps its id, so that it never counts twice. */
interface Unstored {
  readonly key: EntryKey
  readonly entry: Entry
}

interface Counts {
  /** By organization, key, user and month: searches since the last write. */
  open: Map<string, Unstored>
  /** What could not be written yet. */
  late: Unstored[]
  writing: boolean
}

/** How long searches are only counted: what a killed process loses at most. */
const GATHER_MS = 500
/** Attempts in a row; what is left then is written with the next search. */
const TRIES = 4

const countsOf = perOwner<Elastic, Counts>(() => ({ open: new Map(), late: [], writing: false }))

/** Counts an answered search where nothing limits them; the answer does not wait for the write. */
export function countUse(ctx: Context): void {
  const { elastic, background, organization, caller } = ctx
  const mine = countsOf(elastic)
  const now = ctx.clock.now()
  const month = monthOf(now)
  const name = [organization.id, usedKey(caller), caller.username, month].join('\u001f')
  const { key, entry } = mine.open.get(name) ?? {
    key: { organization: organization.id, month, id: crypto.randomUUID() },
    entry: {
      username: caller.username,
      key: usedKey(caller),
      time: now.toISOString(),
      searches: 0,
      state: 'answered',
    },
  }
  mine.open.set(name, { key, entry: { ...entry, searches: entry.searches + 1 } })
  if (!mine.writing) background.run('search usage', () => drain(ctx, mine))
}

async function drain(services: Services, mine: Counts): Promise<void> {
  mine.writing = true
  try {
    for (let left = TRIES; mine.open.size + mine.late.length > 0 && left > 0; ) {
      await setTimeout(GATHER_MS)
      const batch = [...mine.late, ...mine.open.values()]
      mine.late = []
      mine.open = new Map()
      mine.late = await unstored(services, batch)
      if (mine.late.length > 0) left--
    }
  } finally {
    mine.writing = false
  }
}

/** Writes all in one bulk; answers those that may not be stored, up to a bound. */
async function unstored({ elastic, log }: Services, batch: Unstored[]): Promise<Unstored[]> {
  const results = await Promise.allSettled(
    batch.map(({ key, entry }) => writeEntry(elastic, key, { entry })),
  )
  const failed = batch.filter((_, at) => results[at]!.status === 'rejected')
  const reason = results.find((result) => result.status === 'rejected')?.reason
  if (reason) warnOf(log, 'search usage', reason)
  if (failed.length > limits.usageQueue) log.warn('search usage: entries were dropped')
  return failed.slice(-limits.usageQueue)
}
