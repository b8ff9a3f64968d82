import type { Elastic } from '../elastic/client.ts'
import {
  type CoalescingWriter,
  createCoalescingWriter,
  type WritableDocument,
} from '../elastic/coalescing-writer.ts'
import { limits } from '../limits.ts'
import type { Services } from '../operation.ts'
import { type Admission, createAdmission } from '../platform/admission.ts'
import { isSurelyWithin } from '../platform/json-size.ts'
import { memoizeWeak } from '../platform/memoize-weak.ts'
import { currentOwner } from '../platform/request-trace.ts'
import { isEntryStored, storePendingEntries } from './change-log.ts'
import { checkValues } from './distinct-value-limit.ts'
import { storePoints } from './insights/store.ts'
import type { ProductDocument } from './product.ts'
import { productsOf, readToWrite, withSearch } from './product-documents.ts'
import { refreshSoon } from './refresh-soon.ts'
import {
  applyRequest,
  type DraftDocument,
  hasRoom,
  missingProduct,
  type RequestedChange,
} from './requested-change.ts'
import { type ProductTarget, settleLog, settleStoredLog } from './settle-log.ts'

const writerOf = memoizeWeak<Elastic, CoalescingWriter<DraftDocument>>(() =>
  createCoalescingWriter({ repeatsLost: true }),
)

export interface ChangeResult {
  readonly document: ProductDocument
  readonly changed: boolean
}

/** Changes a stored product. Throws NotFound, PreconditionFailed, and what the change throws. */
export async function changeStored(
  services: Services,
  target: ProductTarget,
  request: RequestedChange,
  signal: AbortSignal,
): Promise<ChangeResult> {
  let changed = false
  const { elastic, clock } = services
  const stored = await writerOf(elastic).change(
    documentAt(services, target),
    async (draft, isRepeated) => {
      if (!draft) throw missingProduct()
      const isDone = isRepeated && (await isApplied(services, target, draft.document, request))
      if (isDone) {
        refreshSoon(services, target.scope)
        settleStoredLog(services, target)
      }
      const next = isDone ? draft : applyRequest(draft, request, clock.now())
      changed = isDone || next !== draft
      const [before, after] = [draft.document.product, next.document.product]
      if (!isDone && after !== before) checkValues(elastic, target.scope, { before, after })
      return next
    },
    signal,
  )
  return { document: stored!.document, changed }
}

function documentAt(services: Services, target: ProductTarget): WritableDocument<DraftDocument> {
  const { scope, id } = target
  const products = productsOf(services, scope)
  return {
    key: products.documentId(id),
    async read() {
      const at = await readToWrite(services, scope, id)
      if (!at) return undefined
      return { ...at, source: { document: await withRoom(services, scope, at.source), points: [] } }
    },
    turn: ({ document }, signal) => largeTurn(services, target, document, signal),
    prepare: (draft) => storePoints(services, scope.owner, draft!.points),
    async write(draft, at) {
      const stored = await products.replace(id, withSearch(scope, draft!.document), at!)
      refreshSoon(services, scope)
      settleLog(services, target, stored)
    },
    hasRoom: ({ document }) => hasRoom(document),
  }
}

/**
 * Changes of products with at least this many characters, annotations included, take turns, since
 * each change costs as much as the whole product.
 */
const HUGE = 256 * 1024
/** The same while several organizations are active. */
const LARGE = 32 * 1024
/** Offers and numbers, each a document of Elasticsearch, that make a product large as well. */
const MANY = 200
/** The most changes of large products that wait for each organization; others get a 429. */
const WAITING = 32

const turnsOf = memoizeWeak<Elastic, Admission>(() =>
  createAdmission({
    capacity: 1,
    waiting: Infinity,
    ownerWaiting: WAITING,
    waitMs: limits.requestWaitMs,
    pauses: true,
    what: 'changes of large products',
  }),
)

/**
 * Waits for the turn of a large product; returns what ends it, and undefined for others. Throws
 * TooManyRequests.
 */
export async function largeTurn(
  { elastic, requests }: Pick<Services, 'elastic' | 'requests'>,
  { scope }: Pick<ProductTarget, 'scope'>,
  document: ProductDocument,
  signal: AbortSignal | undefined,
): Promise<(() => void) | undefined> {
  if (!(requests.isShared() ? isLarge(document) : hasLength(document, HUGE))) return undefined
  // Sub-organizations share the turns of their family.
  return turnsOf(elastic).enter(currentOwner(scope.owner), signal ? { signal } : {})
}

function isLarge(document: ProductDocument): boolean {
  const { vendors, filters } = document.product
  return vendors.length + Object.keys(filters).length >= MANY || hasLength(document, LARGE)
}

const hasLength = (document: ProductDocument, least: number): boolean =>
  !isSurelyWithin(document, least) && JSON.stringify(document).length >= least

// Entries pile up during many writes in a row, since clearing them fails after each new write.
async function withRoom(
  services: Services,
  { owner }: ProductTarget['scope'],
  document: ProductDocument,
) {
  if (hasRoom(document)) return document
  await storePendingEntries(services, owner, [document], { refresh: true })
  return { ...document, pending: [] }
}

/** Whether the entry of a change is pending in the document or already in the log. */
const isApplied = async (
  services: Services,
  { scope }: ProductTarget,
  { pending }: ProductDocument,
  { stamp: { entryId } }: RequestedChange,
): Promise<boolean> =>
  pending.some(({ id }) => id === entryId) || isEntryStored(services, scope.owner, entryId)
