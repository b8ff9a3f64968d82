import { limits } from '../limits.ts'
import { untilAborted } from '../platform/deadline.ts'
import { memoizeWeak } from '../platform/memoize-weak.ts'
import { createSharedReads, type SharedReads } from '../platform/shared-reads.ts'
import { call, type Elastic } from './client.ts'
import { type CallOptions, transportOptions } from './place.ts'

const REFRESH_MS = 30_000

/** Makes every acknowledged write to an index searchable. */
export async function refreshIndex(
  elastic: Elastic,
  kind: string,
  { signal }: Pick<CallOptions, 'signal'> = {},
): Promise<void> {
  await refreshNow(elastic, elastic.indexName(kind), { signal })
}

async function refreshNow(
  elastic: Elastic,
  index: string,
  { signal }: Pick<CallOptions, 'signal'> = {},
): Promise<void> {
  const options = transportOptions({ timeoutMs: REFRESH_MS, signal })
  await call(() => elastic.client.indices.refresh({ index }, options))
}

const sharedOf = memoizeWeak<Elastic, SharedReads<void>>(() => createSharedReads(limits.restMs))

/**
 * Makes writes acknowledged before the call searchable. Concurrent callers share a refresh, and
 * refreshes take half of the time at most: each one holds up writes, and searches, for which
 * Elasticsearch has to reopen the index.
 */
export async function refreshCoalesced(
  elastic: Elastic,
  kind: string,
  { signal }: Pick<CallOptions, 'signal'> = {},
): Promise<void> {
  await untilAborted(signal, refreshNamed(elastic, elastic.indexName(kind)))
}

/** The same for an index by its name in Elasticsearch. */
export const refreshNamed = (elastic: Elastic, index: string): Promise<void> =>
  sharedOf(elastic).read(index, () => refreshNow(elastic, index))
