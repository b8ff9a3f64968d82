import { NotFound, PreconditionFailed } from '../errors.ts'
import { limits } from '../limits.ts'
import { advance, type Stamp } from './change.ts'
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
}

/** Applies wishes one after the other, each to what the one before left. Pure. */
export function plan<W extends Wish>(
  document: ProductDocument,
  wishes: readonly W[],
  now: Date,
): Plan<W> {
  const outcomes = new Map<W, Outcome>()
  let current = document
  let room = limits.pendingBytes
  for (const [index, wish] of wishes.entries()) {
    if (room < 0) return { document: current, outcomes, deferred: wishes.slice(index) }
    const outcome = outcomeOf(current, wish, now)
    outcomes.set(wish, outcome)
    if (!('error' in outcome)) {
      if (outcome.document.pending.length > current.pending.length) {
        room -= JSON.stringify(outcome.document.pending.at(-1)).length
      }
      current = outcome.document
    }
  }
  return { document: current, outcomes, deferred: [] }
}

function outcomeOf(current: ProductDocument, wish: Wish, now: Date): Outcome {
  try {
    checkVersion(current, wish.ifMatch)
    const wanted = wish.change(current)
    const next = wanted && advance(current, wanted, { stamp: wish.stamp, now })
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
