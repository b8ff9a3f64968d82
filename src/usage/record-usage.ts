import { setTimeout } from 'node:timers/promises'
import type { Elastic } from '../elastic/client.ts'
import { limits } from '../limits.ts'
import type { Context, Services } from '../operation.ts'
import { type Batches, createBatches } from '../platform/batches.ts'
import { logFailure } from '../platform/log.ts'
import { memoizeWeak } from '../platform/memoize-weak.ts'
import { type EntryKey, type UsageEntry, usedKey, writeEntry } from './entries.ts'
import { monthOf } from './month-credits.ts'

/** An answered search. */
interface CountedSearch extends Pick<UsageEntry, 'username' | 'key' | 'time'> {
  readonly organization: string
}

/** An entry that is not stored yet. It keeps its id, so it is never counted twice. */
interface Unstored {
  readonly key: EntryKey
  readonly entry: UsageEntry
}

interface OpenCounts {
  readonly searches: Batches<CountedSearch>
  /** Entries that could not be written yet. */
  late: Unstored[]
}

/** Milliseconds for which searches are counted in memory; a killed process loses no more. */
const GATHER_MS = 500
/** Consecutive attempts. What remains is written with the next search. */
const TRIES = 4

const countsOf = memoizeWeak<Elastic, OpenCounts>(() => ({
  searches: createBatches(GATHER_MS),
  late: [],
}))

/** Counts an answered search of an account without a limit. The answer does not wait for it. */
export function recordUsage(ctx: Context): void {
  const { elastic, background, organization, caller, clock } = ctx
  const counts = countsOf(elastic)
  const search = {
    organization: organization.id,
    username: caller.username,
    key: usedKey(caller),
    time: clock.now().toISOString(),
  }
  counts.searches.add(
    '',
    search,
    (searches) => store(ctx, counts, searches),
    (batches) => background.run('search usage', () => batches),
  )
}

async function store(services: Services, counts: OpenCounts, searches: readonly CountedSearch[]) {
  counts.late.push(...aggregateSearches(searches))
  for (let left = TRIES; ; left--) {
    counts.late = await unstored(services, counts.late)
    if (counts.late.length === 0 || left === 1) return
    await setTimeout(GATHER_MS)
  }
}

/** An entry for the searches of each organization, key, user and month. */
export function aggregateSearches(searches: readonly CountedSearch[]): Unstored[] {
  const groups = Map.groupBy(searches, ({ organization, key, username, time }) =>
    [organization, key, username, monthOf(new Date(time))].join('\u001f'),
  )
  return [...groups.values()].map((group) => {
    const { organization, username, key, time } = group[0]!
    return {
      key: { organization, month: monthOf(new Date(time)), id: crypto.randomUUID() },
      entry: { username, key, time, searches: group.length, state: 'answered' },
    }
  })
}

/** Writes all entries in one bulk. Returns those that may not be stored, up to a bound. */
async function unstored({ elastic, log }: Services, batch: Unstored[]): Promise<Unstored[]> {
  const results = await Promise.allSettled(
    batch.map(({ key, entry }) => writeEntry(elastic, key, { entry })),
  )
  const failed = batch.filter((_, at) => results[at]!.status === 'rejected')
  const reason = results.find((result) => result.status === 'rejected')?.reason
  if (reason) logFailure(log, 'search usage', reason)
  if (failed.length > limits.usageQueue) log.warn('search usage: entries were dropped')
  return failed.slice(-limits.usageQueue)
}
