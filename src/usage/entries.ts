import { type BufferedBulk, createBufferedBulk } from '../elastic/buffered-bulk.ts'
import type { Elastic } from '../elastic/client.ts'
import { type Collection, collection, type Version } from '../elastic/collection.ts'
import { monthlyKind } from '../elastic/monthly-names.ts'
import { Unavailable } from '../errors.ts'
import { limits } from '../limits.ts'
import type { Caller } from '../operation.ts'
import { memoizeWeak } from '../platform/memoize-weak.ts'

/** One search; without a limit, all of half a second. Only answered ones count. */
export interface UsageEntry {
  readonly username: string
  /** See usedKey. */
  readonly key: string
  readonly time: string
  readonly searches: number
  /** `open`: credit taken, not answered yet; `void`: never answered, and not charged. */
  readonly state: 'open' | 'answered' | 'void'
}

/** The id of the caller's key. The short-lived keys of punchout sessions are counted as one. */
export const usedKey = ({ keyId, session }: Caller): string =>
  session ? 'punchout sessions' : keyId

/** Identifies an entry: organization, id and month (`2026-11`). */
export interface EntryKey {
  readonly organization: string
  readonly id: string
  readonly month: string
}

/** The usage of an organization in a month: `2026-11`. */
export const entriesOf = (
  elastic: Elastic,
  { organization, month }: Omit<EntryKey, 'id'>,
): Collection<UsageEntry> =>
  collection<UsageEntry>(elastic, {
    kind: monthlyKind('usage', new Date(`${month}-01T00:00:00Z`)),
    scope: [organization],
    monthly: true,
  })

const bufferOf = memoizeWeak<Elastic, BufferedBulk>(() =>
  createBufferedBulk({
    gatherMs: limits.creditGatherMs,
    attempts: 2,
    timeoutMs: limits.elasticMs / 2,
    versions: true,
  }),
)

/**
 * Writes an entry, in one bulk with concurrent ones: creates it, or replaces the given version.
 * Returns the new version; undefined when it exists or has another version.
 */
export async function writeEntry(
  elastic: Elastic,
  key: EntryKey,
  { entry, version }: { entry: UsageEntry; version?: Version },
): Promise<Version | undefined> {
  const item = entriesOf(elastic, key).bulkItem(key.id, entry, version)
  const [result] = await bufferOf(elastic).write(elastic, [item])
  const { status, seqNo, primaryTerm, reason } = result!
  if (status === 409) return undefined
  if (seqNo === undefined || primaryTerm === undefined) {
    throw new Unavailable('The search could not be recorded. Try again.', { cause: reason })
  }
  return { seqNo, primaryTerm }
}
