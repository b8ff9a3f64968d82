import { NotFound, PreconditionFailed } from '../errors.ts'
import { limits } from '../limits.ts'
import { memoizeWeak } from '../platform/memoize-weak.ts'
import { type NewPoint, pointsOfWrite } from './insights/points.ts'
import { type ChangeStamp, nextDocument } from './next-document.ts'
import { checkSize } from './patch.ts'
import type { ChangeEntry, ProductDocument } from './product.ts'

/** Returns the document after a change, or undefined for no change. May throw a Failure. */
export type ProductChange = (document: ProductDocument) => ProductDocument | undefined

/** One caller's request to change a product. */
export interface RequestedChange {
  readonly change: ProductChange
  /** The version that the stored product must have; `*` for any. */
  readonly ifMatch?: string | undefined
  readonly stamp: ChangeStamp
  /** Changes of offers are not logged, but recorded in Insights. */
  readonly offersUnlogged?: boolean | undefined
}

/** A document that is about to be stored. */
export interface DraftDocument {
  readonly document: ProductDocument
  /** Points to store in Insights beforehand, for offer changes that are not logged. */
  readonly points: readonly NewPoint[]
}

/** The draft after a change; the same object if none. Throws PreconditionFailed, Invalid. */
export function applyRequest(
  draft: DraftDocument,
  request: RequestedChange,
  now: Date,
): DraftDocument {
  const { change, ifMatch, stamp, offersUnlogged } = request
  const before = draft.document
  checkVersion(before, ifMatch)
  const wanted = change(before)
  const unlogged = offersUnlogged ? ['vendors'] : []
  const document = wanted && nextDocument(before, wanted, { stamp, now, unlogged })
  if (!document) return draft
  if (document.product !== before.product) checkSize(document.product)
  if (!offersUnlogged) return { ...draft, document }
  // A retried change yields the same points, since its entry's id identifies it.
  const points = pointsOfWrite(before.product.vendors, document.product, stamp.entryId)
  return { document, points: [...draft.points, ...points] }
}

const lengthOf = memoizeWeak((entry: ChangeEntry): number => JSON.stringify(entry).length)

/** Whether the document has room for another pending log entry. */
export const hasRoom = ({ pending }: Pick<ProductDocument, 'pending'>): boolean =>
  createRoomCheck()(pending)

/** `hasRoom` for pending log entries that only grow, of which it reads the new ones. */
export function createRoomCheck(): (pending: readonly ChangeEntry[]) => boolean {
  let counted = 0
  let length = 0
  return (pending) => {
    for (const entry of pending.slice(counted)) length += lengthOf(entry)
    counted = pending.length
    return length < limits.pendingBytes
  }
}

/** Throws PreconditionFailed if If-Match names another version. */
export function checkVersion({ product }: ProductDocument, ifMatch: string | undefined): void {
  if (ifMatch === undefined || ifMatch === '*' || ifMatch === String(product.version)) return
  throw new PreconditionFailed(`The product's version is now ${product.version}. Read it again.`)
}

export const missingProduct = () => new NotFound('Product')
