import { bulk } from '../elastic/bulk.ts'
import { term } from '../elastic/clauses.ts'
import { type Collection, collection } from '../elastic/collection.ts'
import { monthlyKind, timeOfUuid } from '../elastic/monthly-names.ts'
import { Unavailable } from '../errors.ts'
import { limits } from '../limits.ts'
import type { Services } from '../operation.ts'
import { checkWindow, type Paging } from '../shapes.ts'
import { copySourceEntry } from './copy-patch.ts'
import { pointsOfEntry } from './insights/points.ts'
import { pointItems } from './insights/store.ts'
import type { ChangeEntry, ProductDocument } from './product.ts'

/** The log of one organization for the month in the entry's id. */
const monthOf = ({ elastic }: Services, owner: string, entryId: string): Collection<ChangeEntry> =>
  collection<ChangeEntry>(elastic, {
    kind: monthlyKind('changes', timeOfUuid(entryId)),
    scope: [owner],
    monthly: true,
  })

/** Stores the pending log entries of products, and the insights in them; existing entries stay. */
export async function storePendingEntries(
  services: Services,
  owner: string,
  documents: readonly PendingEntries[],
  options: { signal?: AbortSignal; refresh?: 'wait_for' | true } = {},
): Promise<void> {
  const { elastic } = services
  const entries = documents.flatMap(({ pending }) => pending)
  const points = documents.flatMap(({ product, pending }) =>
    pending.flatMap((entry) => pointsOfEntry(entry, product.manufacturerPartNumber)),
  )
  const logged = [...entries, ...entries.flatMap((entry) => copySourceEntry(entry) ?? [])]
  const items = [
    ...logged.map((entry) => monthOf(services, owner, entry.id).bulkItem(entry.id, entry)),
    ...pointItems(elastic, owner, points),
  ]
  const results = await bulk(elastic, items, options)
  const failed = results.find(({ status }) => status >= 300 && status !== 409)
  if (failed) throw new Unavailable(`A change-log entry was not stored: ${failed.reason ?? ''}`)
}

type PendingEntries = Pick<ProductDocument, 'product' | 'pending'>

/** Whether an entry has moved from `pending` to the log. */
export async function isEntryStored(
  services: Services,
  owner: string,
  id: string,
): Promise<boolean> {
  return (await monthOf(services, owner, id).get(id, { source: ['id'] })) !== undefined
}

/** Entries that have moved from `pending` to the log, by their ids, which are all of one month. */
export async function storedEntries(
  services: Services,
  { owner, ids }: { owner: string; ids: readonly string[] },
  signal: AbortSignal,
): Promise<Pick<ChangeEntry, 'id' | 'version'>[]> {
  const [first] = ids
  if (first === undefined) return []
  const options = { source: ['id', 'version'], signal }
  const found = await monthOf(services, owner, first).getMany(ids, options)
  return found.flatMap((one) => (one ? [one.source] : []))
}

/** Reads a log entry by its id; undefined when there is none. */
export async function readEntry(
  services: Services,
  { owner, id }: { owner: string; id: string },
  signal: AbortSignal,
): Promise<ChangeEntry | undefined> {
  return (await monthOf(services, owner, id).get(id, { signal }))?.source
}

export interface EntryFilter {
  readonly owner: string
  readonly catalog?: string | undefined
  readonly productId?: string | undefined
  readonly updatedBy?: string | undefined
  /** Ids of entries to leave out. */
  readonly except?: readonly string[]
  readonly from: number
  readonly size: number
}

/** Stored entries of one organization, newest first. */
export async function findEntries(
  { elastic }: Services,
  { owner, catalog, productId, updatedBy, except = [], from, size }: EntryFilter,
  signal: AbortSignal,
): Promise<ChangeEntry[]> {
  const wanted = Object.entries({ catalog, productId, updatedBy })
  const log = collection<ChangeEntry>(elastic, { kind: 'changes', scope: [owner], monthly: true })
  return log.find(
    {
      query: {
        bool: {
          filter: wanted.flatMap(([field, value]) =>
            value === undefined ? [] : [term(field, value)],
          ),
          must_not: [{ terms: { id: [...except] } }],
        },
      },
      from,
      size,
      sort: [{ timestamp: 'desc' }, { version: 'desc' }, { id: 'desc' }],
    },
    { signal, most: limits.answerBytes },
  )
}

export interface LogPage extends Paging {
  readonly owner: string
  readonly catalog: string
  readonly productId: string
}

/** One page of a product's log, newest first; `pending` in its document are the newest entries. */
export async function readLog(
  services: Services,
  pending: readonly ChangeEntry[],
  { page, pageSize, ...place }: LogPage,
  signal: AbortSignal,
): Promise<ChangeEntry[]> {
  checkWindow({ page, pageSize }, 'entries')
  const start = page * pageSize
  const waiting = pending.toReversed()
  const first = waiting.slice(start, start + pageSize)
  const size = pageSize - first.length
  if (size === 0) return first
  const from = Math.max(0, start - waiting.length)
  const except = waiting.map(({ id }) => id)
  return [...first, ...(await findEntries(services, { ...place, except, from, size }, signal))]
}
