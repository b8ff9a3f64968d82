import { bulk } from '../elastic/bulk.ts'
import { type Collection, collection } from '../elastic/collection.ts'
import { monthlyKind, timeOfUuid } from '../elastic/monthly.ts'
import { Invalid, Unavailable } from '../errors.ts'
import { limits } from '../limits.ts'
import type { Services } from '../operation.ts'
import type { ChangeEntry } from './product.ts'

/** Entries of one organization in the month that an entry's id names. */
const monthOf = ({ elastic }: Services, owner: string, entryId: string): Collection<ChangeEntry> =>
  collection<ChangeEntry>(elastic, {
    kind: monthlyKind('changes', timeOfUuid(entryId)),
    scope: [owner],
    monthly: true,
  })

export interface StoreOptions {
  readonly signal?: AbortSignal
  readonly refresh?: 'wait_for' | true
}

/** Stores entries that were waiting; those that are stored already stay as they are. */
export async function storeEntries(
  services: Services,
  owner: string,
  entries: readonly ChangeEntry[],
  options: StoreOptions = {},
): Promise<void> {
  const results = await bulk(
    services.elastic,
    entries.map((entry) => {
      const month = monthOf(services, owner, entry.id)
      const index = services.elastic.indexName(month.place.kind)
      return {
        action: JSON.stringify({ create: { _index: index, _id: month.documentId(entry.id) } }),
        document: JSON.stringify({ scope: month.place.scope, ...entry }),
      }
    }),
    options,
  )
  const failed = results.find(({ status }) => status >= 300 && status !== 409)
  if (failed) throw new Unavailable(`A change-log entry was not stored: ${failed.reason ?? ''}`)
}

/** Whether an entry has left `pending` for the log. */
export async function isStored(services: Services, owner: string, id: string): Promise<boolean> {
  return (await monthOf(services, owner, id).get(id, { source: ['id'] })) !== undefined
}

export interface LogPage {
  readonly owner: string
  readonly catalog: string
  readonly productId: string
  readonly page: number
  readonly pageSize: number
}

/**
 * One page of a product's log, newest first. `pending` are the entries that its document holds:
 * they are the newest, whether or not they are stored as well.
 */
export async function readLog(
  { elastic }: Services,
  pending: readonly ChangeEntry[],
  { owner, catalog, productId, page, pageSize }: LogPage,
  signal: AbortSignal,
): Promise<ChangeEntry[]> {
  const from = page * pageSize
  if (from + pageSize > limits.resultWindow) {
    throw new Invalid(`page: only the newest ${limits.resultWindow} entries are listed`)
  }
  const waiting = pending.toReversed()
  const first = waiting.slice(from, from + pageSize)
  const size = pageSize - first.length
  if (size === 0) return first
  const answer = await collection<ChangeEntry>(elastic, {
    kind: 'changes',
    scope: [owner],
    monthly: true,
  }).search(
    {
      query: {
        bool: {
          filter: [{ term: { catalog } }, { term: { productId } }],
          must_not: [{ terms: { id: waiting.map(({ id }) => id) } }],
        },
      },
      from: Math.max(0, from - waiting.length),
      size,
      sort: [{ timestamp: 'desc' }, { version: 'desc' }],
      track_total_hits: false,
    },
    { signal },
  )
  return [...first, ...answer.hits.hits.map((hit) => hit._source!)]
}
