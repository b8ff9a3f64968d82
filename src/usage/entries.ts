import { type BulkItem, type BulkResult, bulk } from '../elastic/bulk.ts'
import type { Elastic } from '../elastic/client.ts'
import { type Collection, collection, type Stored } from '../elastic/collection.ts'
import { monthlyKind } from '../elastic/monthly.ts'
import { Unavailable } from '../errors.ts'
import { limits } from '../limits.ts'
import type { Caller } from '../operation.ts'
import { type Batches, createBatches } from '../platform/batches.ts'
import { perOwner } from '../platform/per-owner.ts'

/** One search, or without a limit all of a second. Only answered ones are usage. */
export interface Entry {
  readonly username: string
  /** As `usedKey` says. */
  readonly key: string
  readonly time: string
  readonly searches: number
  /** `open`: credit taken, not answered yet; `void`: never answered, and not charged. */
  readonly state: 'open' | 'answered' | 'void'
}

/** The id of the caller's key; keys of punchout sessions come and go and are counted together. */
export const usedKey = ({ keyId, session }: Caller): string =>
  session ? 'punchout sessions' : keyId

/** Which entry: its organization, its id, and `2026-11`. */
export interface EntryKey {
  readonly organization: string
  readonly id: string
  readonly month: string
}

/** What a conditional write needs. */
export type Version = Pick<Stored<unknown>, 'seqNo' | 'primaryTerm'>

/** The usage of an organization in a month: `2026-11`. */
export const entriesOf = (
  elastic: Elastic,
  { organization, month }: Omit<EntryKey, 'id'>,
): Collection<Entry> =>
  collection<Entry>(elastic, {
    kind: monthlyKind('usage', new Date(`${month}-01T00:00:00Z`)),
    scope: [organization],
    monthly: true,
  })

function itemOf(elastic: Elastic, key: EntryKey, entry: Entry, version?: Version): BulkItem {
  const { place, documentId } = entriesOf(elastic, key)
  const at = { _index: elastic.indexName(place.kind), _id: documentId(key.id) }
  const action = version
    ? { index: { ...at, if_seq_no: version.seqNo, if_primary_term: version.primaryTerm } }
    : { create: at }
  return {
    action: JSON.stringify(action),
    document: JSON.stringify({ scope: place.scope, ...entry }),
  }
}

interface Waiting {
  readonly item: BulkItem
  readonly resolve: (result: BulkResult) => void
  readonly reject: (error: unknown) => void
}

const queueOf = perOwner<Elastic, Batches<Waiting>>(() => createBatches(limits.creditGatherMs))

/**
 * Writes an entry, with all others that meet in this instance in one bulk: creates it, or replaces
 * it when it has this version. Answers the new version; undefined when it exists or has another one.
 */
export async function writeEntry(
  elastic: Elastic,
  key: EntryKey,
  { entry, version }: { entry: Entry; version?: Version },
): Promise<Version | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<BulkResult>()
  const item = itemOf(elastic, key, entry, version)
  queueOf(elastic).add('', { item, resolve, reject }, (batch) => send(elastic, batch))
  const { status, seqNo, primaryTerm, reason } = await promise
  if (status === 409) return undefined
  if (seqNo === undefined || primaryTerm === undefined) {
    throw new Unavailable('The search could not be recorded now.', { cause: reason })
  }
  return { seqNo, primaryTerm }
}

/** Conditional and create-only writes may be repeated: the second one finds the first. */
async function send(elastic: Elastic, batch: readonly Waiting[]): Promise<void> {
  const items = batch.map(({ item }) => item)
  const timeoutMs = limits.elasticMs / 2
  for (let left = 2; ; left--) {
    try {
      const results = await bulk(elastic, items, { versions: true, timeoutMs })
      for (const [at, { resolve }] of batch.entries()) resolve(results[at]!)
      return
    } catch (error) {
      if (left > 1 && error instanceof Unavailable) continue
      for (const { reject } of batch) reject(error)
      return
    }
  }
}
