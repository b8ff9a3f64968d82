import { NotFound, PreconditionFailed } from '../errors.ts'
import { limits } from '../limits.ts'
import { advance, type Stamp } from './change.ts'
import { type NewPoint, pointsOf } from './insights/points.ts'
import { checkSize } from './patch.ts'
import type { ProductDocument } from './product.ts'

/** The document after a change, or undefined for "nothing to change". Pure; may throw a Failure. */
export type Change = (document: ProductDocument) => ProductDocument | undefined

/** One caller's wish to change a product. */
export interface Wish {
  readonly change: Change
  /** The version that must be the stored one; `*` is any. */
  readonly ifMatch?: string | undefined
  readonly stamp: Stamp
  /** Changes of offers leave no entry: only Insights are told. */
  readonly offersUnlogged?: boolean | undefined
}

export interface Changed {
  readonly document: ProductDocument
  readonly changed: boolean
}

export type Outcome = Changed | { readonly error: unknown }

export interface Plan<W extends Wish> {
  /** What to store: the very document that was given when nothing changed. */
  readonly document: ProductDocument
  readonly outcomes: ReadonlyMap<W, Outcome>
  /** Wishes for which the log first needs room. */
  readonly deferred: readonly W[]
  /** What Insights are told before the document is stored, of offers that leave no entry. */
  readonly points: readonly NewPoint[]
}

/** Applies wishes one after the other, each to what the one before left. */
export function plan<W extends Wish>(
  document: ProductDocument,
  wishes: readonly W[],
  now: Date,
): Plan<W> {
  const outcomes = new Map<W, Outcome>()
  const points: NewPoint[] = []
  let current = document
  let room = limits.pendingBytes
  for (const [index, wish] of wishes.entries()) {
    if (room < 0) return { document: current, outcomes, deferred: wishes.slice(index), points }
    const outcome = outcomeOf(current, wish, now)
    outcomes.set(wish, outcome)
    if (!('error' in outcome)) {
      if (outcome.document.pending.length > current.pending.length) {
        room -= JSON.stringify(outcome.document.pending.at(-1)).length
      }
      if (wish.offersUnlogged) points.push(...unloggedPoints(current, outcome.document, wish))
      current = outcome.document
    }
  }
  return { document: current, outcomes, deferred: [], points }
}

/** A wish that is planned again makes the same points: its entry's id names the change. */
function unloggedPoints(
  { product: before }: ProductDocument,
  { product: after }: ProductDocument,
  { stamp }: Wish,
): NewPoint[] {
  return pointsOf(
    { before: before.vendors, after: after.vendors },
    {
      change: stamp.entryId,
      catalog: after.catalog,
      productId: after.id,
      manufacturerPartNumber: after.manufacturerPartNumber,
      date: after.lastUpdated,
      version: after.version,
    },
  )
}

function outcomeOf(current: ProductDocument, wish: Wish, now: Date): Outcome {
  try {
    checkVersion(current, wish.ifMatch)
    const wanted = wish.change(current)
    const unlogged = wish.offersUnlogged ? ['vendors'] : []
    const next = wanted && advance(current, wanted, { stamp: wish.stamp, now, unlogged })
    if (!next) return { document: current, changed: false }
    if (next.product !== current.product) checkSize(next.product)
    return { document: next, changed: true }
  } catch (error) {
    return { error }
  }
}

/** Throws PreconditionFailed when If-Match names another version. */
export function checkVersion({ product }: ProductDocument, ifMatch: string | undefined): void {
  if (ifMatch === undefined || ifMatch === '*' || ifMatch === String(product.version)) return
  throw new PreconditionFailed(`The product's version is ${product.version} now. Read it again.`)
}

export const missing = () => new NotFound('Product')
