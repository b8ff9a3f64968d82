import { type BufferedBulk, createBufferedBulk } from '../elastic/buffered-bulk.ts'
import { type BulkItem, type BulkLines, type BulkResult, bulk, sendBulk } from '../elastic/bulk.ts'
import { anyOf, every, none, term } from '../elastic/clauses.ts'
import type { Elastic } from '../elastic/client.ts'
import { type Collection, collection } from '../elastic/collection.ts'
import { monthlyKind, timeOfUuid } from '../elastic/monthly-names.ts'
import { refreshCoalesced } from '../elastic/refresh.ts'
import { Unavailable } from '../errors.ts'
import { limits } from '../limits.ts'
import type { Services } from '../operation.ts'
import { defined } from '../platform/defined.ts'
import { memoizeWeak } from '../platform/memoize-weak.ts'
import { checkWindow, type Paging } from '../shapes.ts'
import { copySourceEntry } from './copy-patch.ts'
import { pointsOfEntry } from './insights/points.ts'
import { createPointItem } from './insights/store.ts'
import type { ChangeEntry, Product, ProductDocument } from './product.ts'

type Store = Pick<Services, 'elastic'>

/** The log of one organization for the month in the entry's id. */
const monthOf = ({ elastic }: Store, owner: string, entryId: string): Collection<ChangeEntry> =>
  collection<ChangeEntry>(elastic, {
    kind: monthlyKind('changes', timeOfUuid(entryId)),
    scope: [owner],
    monthly: true,
  })

/** Returns a function that makes bulk items of pending log entries and the insights in them. */
export function createEntryItems(store: Store, owner: string) {
  let month: Collection<ChangeEntry> | undefined
  const pointItem = createPointItem(store.elastic, owner)
  const itemOf = (entry: ChangeEntry): BulkItem => {
    const kind = monthlyKind('changes', timeOfUuid(entry.id))
    if (month?.place.kind !== kind) month = monthOf(store, owner, entry.id)
    return month.bulkItem(entry.id, entry)
  }
  return ({ product, pending }: PendingEntries): BulkItem[] => {
    const points = pending.flatMap((entry) => pointsOfEntry(entry, product.manufacturerPartNumber))
    const logged = [...pending, ...pending.flatMap((entry) => copySourceEntry(entry) ?? [])]
    return [...logged.map(itemOf), ...points.map(pointItem)]
  }
}

/** Stores the pending log entries of products, and the insights in them; existing entries stay. */
export async function storePendingEntries(
  services: Services,
  owner: string,
  documents: readonly PendingEntries[],
  options: { signal?: AbortSignal; refresh?: 'wait_for' | true } = {},
): Promise<void> {
  const { elastic } = services
  const items = documents.flatMap(createEntryItems(services, owner))
  checkStored(await bulk(elastic, items, options))
}

/** Characters of entries from which a product's are stored alone. */
const LARGE = 64 * 1024

const bufferOf = memoizeWeak<Elastic, BufferedBulk>(() =>
  createBufferedBulk({ refresh: 'wait_for' }),
)

/**
 * Stores the pending entries of a product, with those of others that are stored at the same time:
 * each request waits until they are searchable, and would take a connection for as long.
 */
export async function storeEntriesWithOthers(
  services: Services,
  owner: string,
  document: PendingEntries,
): Promise<void> {
  const { elastic } = services
  const items = createEntryItems(services, owner)(document)
  const length = items.reduce((sum, item) => sum + (item.document?.length ?? 0), 0)
  checkStored(
    length > LARGE
      ? await bulk(elastic, items, { refresh: 'wait_for' })
      : await bufferOf(elastic).write(elastic, items),
  )
}

/** Like storePendingEntries, for bulk lines. Afterwards, searches find the entries. */
export async function storeEntryLines({ elastic }: Store, lines: BulkLines): Promise<void> {
  const results = await sendBulk(elastic, lines, { refresh: 'wait_for' })
  checkStored(results)
  // Entries that existed before do not make `wait_for` wait, but may not be searchable yet.
  if (results.some(({ status }) => status === CONFLICT)) await refreshCoalesced(elastic, 'changes')
}

const CONFLICT = 409

function checkStored(results: readonly BulkResult[]): void {
  const failed = results.find(({ status }) => status >= 300 && status !== CONFLICT)
  if (failed) throw new Unavailable(`A change-log entry was not stored: ${failed.reason ?? ''}`)
}

/** The pending log entries of a product, and what insights about them need. */
export interface PendingEntries extends Pick<ProductDocument, 'pending'> {
  readonly product: Pick<Product, 'manufacturerPartNumber'>
}

/** The entries of a product to remove, without the rest of it, which may be large. */
export const leavingEntries = ({ product, pending }: ProductDocument): PendingEntries => ({
  product: { manufacturerPartNumber: product.manufacturerPartNumber },
  pending,
})

/** Whether an entry has moved from `pending` to the log. */
export async function isEntryStored(
  services: Services,
  owner: string,
  id: string,
): Promise<boolean> {
  return (await monthOf(services, owner, id).get(id, { source: ['id'] })) !== undefined
}

/** Entries that have moved from `pending` to the log, by their ids, all from the same month. */
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

/** Reads a log entry by its id; undefined if there is none. */
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
  const wanted = Object.entries(defined({ catalog, productId, updatedBy }))
  const log = collection<ChangeEntry>(elastic, { kind: 'changes', scope: [owner], monthly: true })
  return log.find(
    {
      query: every([
        ...wanted.map(([field, value]) => term(field, value)),
        none([anyOf('id', except)]),
      ]),
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

/** A page of a product's log, newest first. The `pending` entries of its document come first. */
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
