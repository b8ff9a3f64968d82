import { type BufferedBulk, createBufferedBulk } from '../elastic/buffered-bulk.ts'
import type { BulkItem } from '../elastic/bulk.ts'
import type { Elastic } from '../elastic/client.ts'
import { type Collection, collection } from '../elastic/collection.ts'
import { deferWrites } from '../elastic/deferred-writes.ts'
import { monthlyKind } from '../elastic/monthly-names.ts'
import { refreshCoalesced } from '../elastic/refresh.ts'
import { Unavailable } from '../errors.ts'
import { limits } from '../limits.ts'
import type { CallerContext, Context, Services } from '../operation.ts'
import { untilAborted } from '../platform/deadline.ts'
import { memoizeWeak } from '../platform/memoize-weak.ts'
import { token } from '../text.ts'
import type { AuditEntry } from './entry.ts'
import { type AuditPage, auditBody } from './query.ts'

const KIND = 'audit'

/** The log of an organization; with `month`, the index of that month for writing. */
const auditOf = (
  { elastic }: Pick<Services, 'elastic'>,
  organization: string,
  month?: Date,
): Collection<AuditEntry> =>
  collection<AuditEntry>(elastic, {
    kind: month ? monthlyKind(KIND, month) : KIND,
    scope: [organization],
    monthly: true,
  })

const itemOf = (ctx: CallerContext, owner: string, entry: AuditEntry, id = entry.id) =>
  auditOf(ctx, owner, new Date(entry.time)).bulkItem(id, entry)

const bufferOf = memoizeWeak<Elastic, BufferedBulk>(() =>
  createBufferedBulk({ timeoutMs: limits.elasticMs, attempts: 2 }),
)

/**
 * Stores an entry, in one bulk with others. If that fails, retries once in the background and
 * throws Unavailable: the operation has taken effect, whatever the response says.
 */
export async function storeEntry(
  ctx: CallerContext,
  owner: string,
  entry: AuditEntry,
): Promise<void> {
  try {
    await storeNow(ctx, owner, entry)
  } catch (error) {
    storeEntryLater(ctx, owner, entry)
    throw error
  }
}

async function storeNow(ctx: CallerContext, owner: string, entry: AuditEntry): Promise<void> {
  const { elastic, background, signal } = ctx
  const writing = bufferOf(elastic).write(elastic, [itemOf(ctx, owner, entry)], (bulks) =>
    background.run('audit log', () => bulks),
  )
  const [result] = await untilAborted(signal, writing)
  // A bulk whose answer was lost is sent again, and then conflicts with what it wrote.
  if (!result?.error || result.status === 409) return
  throw new Unavailable(`An audit log entry was not stored: ${result.reason ?? ''}`)
}

/** Stores an entry after the answer; where that fails it is lost, and the service's log says so. */
export const storeEntryLater = (ctx: CallerContext, owner: string, entry: AuditEntry): void =>
  writeEntryLater(ctx, owner, itemOf(ctx, owner, entry))

function writeEntryLater(ctx: CallerContext, owner: string, item: BulkItem): void {
  const own = ctx.organization?.id === owner ? ctx.organization : undefined
  deferWrites({ ...ctx, organization: own ?? { id: owner, parent: null } }, 'audit log', [item])
}

const HOUR = 'yyyy-mm-ddThh'.length
const REMEMBERED = 10_000

const notedOf = memoizeWeak<Elastic, Set<string>>(() => new Set())

/** Like storeEntryLater, but once an hour for the same action of a key, across all instances. */
export function noteHourly(ctx: CallerContext, owner: string, entry: AuditEntry): void {
  const { username, keyId, operation, outcome, targetId, time, details } = entry
  // Anybody who sees a page may be refused, so all addresses share one entry.
  const from = outcome === 'refused' ? '' : (details.address ?? '')
  const about = [operation, outcome, targetId ?? '', details.catalog ?? '', from]
  const id = token(time.slice(0, HOUR), keyId, username, ...about)
  const noted = notedOf(ctx.elastic)
  const known = token(owner, id)
  if (noted.has(known)) return
  if (noted.size >= REMEMBERED) noted.clear()
  noted.add(known)
  writeEntryLater(ctx, owner, itemOf(ctx, owner, entry, id))
}

/** A page of a log, newest first, with every entry that is stored. */
export async function readEntries(
  { elastic, signal }: Pick<Context, 'elastic' | 'signal'>,
  owner: string,
  page: AuditPage,
): Promise<AuditEntry[]> {
  await refreshCoalesced(elastic, KIND, { signal })
  return auditOf({ elastic }, owner).find(auditBody(page), { signal, most: limits.answerBytes })
}
