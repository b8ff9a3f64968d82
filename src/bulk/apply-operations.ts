import { Conflict, Failure, Invalid, NotFound, STATUS } from '../errors.ts'
import type { Applied } from '../imports/writing/draft.ts'
import { EMPTY_OFFER } from '../imports/writing/offer-changes.ts'
import { keysOfProduct } from '../imports/writing/row-keys.ts'
import type { Steps } from '../platform/steps.ts'
import {
  type ChangeStamp,
  emptyProduct,
  firstDocument,
  nextDocument,
} from '../products/next-document.ts'
import { applyPatch, checkSize } from '../products/patch.ts'
import type { ChangeEntry, Offer, ProductDocument } from '../products/product.ts'
import { checkVersion, createRoomCheck, missingProduct } from '../products/requested-change.ts'
import { catalogPatch } from '../products/view.ts'
import type { PlannedOperation } from './planned-operation.ts'

/** The outcome of an operation, with the same Failure as if it had been sent by itself. */
export type OperationOutcome = 'created' | 'updated' | 'unchanged' | 'deleted' | 'gone' | Failure

/** The batch to which the operations belong. */
export interface Applying {
  readonly catalog: string
  /** The organization whose annotations are left out of a product that a client sends back. */
  readonly organization: string
  readonly actor: string
  /** When the batch was first sent. */
  readonly began: Date
  /** Whether the batch was sent before, so that parts of it may be done. */
  readonly isRepeated: boolean
  /** Whether the batch can be sent again. */
  readonly isRemembered: boolean
  /** Versions that this batch made, by the id of the stored log entry. */
  readonly done: ReadonlyMap<string, number>
  readonly now: Date
}

interface State {
  /** The current product; undefined when there is none. */
  readonly document: ProductDocument | undefined
  /** The product before its removal, with the log entries that are still to be stored. */
  readonly left?: ProductDocument | undefined
}

/**
 * Applies the operations of one product in order, and writes the results at once, so that either
 * all of them are done or none. When there are fewer outcomes than operations, the others wait
 * until the log entries of these are stored.
 */
export function* applyOperations(
  id: string,
  existing: ProductDocument | undefined,
  operations: readonly PlannedOperation[],
  applying: Applying,
): Steps<Applied<OperationOutcome>> {
  const outcomes: OperationOutcome[] = []
  const last = operations.findLastIndex(({ entryId }) => applying.done.has(entryId))
  const hasRoom = createRoomCheck()
  let state: State = { document: existing }
  for (const [at, operation] of operations.entries()) {
    if (at <= last) outcomes.push(outcomeBefore(operation, applying))
    else if (outcomes.length > last + 1 && !hasRoom(waiting(state))) break
    else {
      const { next, outcome } = attempt(id, state, operation, { ...applying, before: existing })
      state = next
      outcomes.push(outcome)
    }
    yield
  }
  const { document, left } = state
  if (document) {
    if (document === existing) return { document: undefined, outcomes }
    return { document: { ...document, pending: waiting(state) }, outcomes }
  }
  return { document: left, removes: left !== undefined, outcomes }
}

const waiting = ({ document, left }: State): readonly ChangeEntry[] =>
  left ? [...left.pending, ...(document?.pending ?? [])] : (document?.pending ?? [])

/**
 * The outcome of an operation when an earlier attempt did it, or a later operation on the product.
 */
function outcomeBefore(
  { action, entryId }: PlannedOperation,
  { done }: Pick<Applying, 'done'>,
): OperationOutcome {
  const version = done.get(entryId)
  if (version !== undefined) return version === 1 && action !== 'update' ? 'created' : 'updated'
  if (action === 'delete') return 'gone'
  return new Conflict(
    'The operation was rejected or changed nothing before the batch was interrupted. Later operations on the product have been applied.',
  )
}

interface Attempting extends Applying {
  /** The stored product, before any operation of this attempt. */
  readonly before: ProductDocument | undefined
}

interface AppliedOperation {
  readonly next: State
  readonly outcome: OperationOutcome
}

function attempt(
  id: string,
  state: State,
  operation: PlannedOperation,
  applying: Attempting,
): AppliedOperation {
  try {
    return step(id, state, operation, applying)
  } catch (error) {
    if (error instanceof Failure) return { next: state, outcome: error }
    throw error
  }
}

function step(
  id: string,
  state: State,
  operation: PlannedOperation,
  { isRepeated, actor, ...applying }: Attempting,
): AppliedOperation {
  const { action, ifMatch, entryId } = operation
  const { document } = state
  const stamped = {
    ...applying,
    isRepeated,
    actor,
    stamp: { entryId, actor, source: 'api' },
  } as const
  if (action === 'create' || (action === 'upsert' && !document && ifMatch === undefined)) {
    if (document) throw new Conflict('id: a product with this id already exists')
    return { next: { ...state, document: created(id, operation, stamped) }, outcome: 'created' }
  }
  if (!document) {
    if (action === 'delete' && isRepeated) return { next: state, outcome: 'gone' }
    throw missingProduct()
  }
  if (!matchesKey(document, operation)) {
    throw action === 'upsert' ? new Conflict(TAKEN) : missingProduct()
  }
  checkVersion(document, ifMatch)
  if (action === 'delete') {
    checkUnchanged(document, stamped)
    const left = { ...document, pending: waiting(state) }
    return { next: { document: undefined, left }, outcome: 'deleted' }
  }
  const next = updated(document, operation, stamped)
  if (!next) return { next: state, outcome: 'unchanged' }
  return { next: { ...state, document: next }, outcome: 'updated' }
}

interface Stamped extends Attempting {
  readonly stamp: ChangeStamp
}

/** The fields that name the product become part of it, unless the patch sets them. */
function created(
  id: string,
  { row, patch }: PlannedOperation,
  { catalog, actor, now, stamp }: Stamped,
): ProductDocument {
  const empty = emptyProduct({ id, catalog, actor, now })
  const vendors = row.offers.map((offer): Offer => ({ ...EMPTY_OFFER, ...offer }))
  const named = applyPatch(empty, { ...row.patch, ...(vendors.length > 0 ? { vendors } : {}) })
  const document = firstDocument(applyPatch(named, patch), stamp)
  checkSize(document.product)
  return document
}

function updated(
  document: ProductDocument,
  { patch }: PlannedOperation,
  { organization, stamp, now }: Stamped,
): ProductDocument | undefined {
  const product = applyPatch(document.product, catalogPatch(patch, document, organization))
  const next = nextDocument(document, { ...document, product }, { stamp, now })
  if (next) checkSize(next.product)
  return next
}

const TAKEN =
  'The product found for this part number has another one, or the id derived from it is taken. Send an id.'

/**
 * Whether one of the keys still names the product. An id derived from a part number is not enough,
 * since the product may have had that number only in the past.
 */
export function matchesKey(
  { product }: ProductDocument,
  { keys }: Pick<PlannedOperation, 'keys'>,
): boolean {
  const own = keysOfProduct(product)
  return keys.length === 0 || keys.some(({ text }) => own.some((key) => key.text === text))
}

/**
 * Throws Conflict when a batch would delete a product that may have been created again after
 * another attempt deleted it. During the first attempt, only a later attempt can have done that.
 */
function checkUnchanged(
  document: ProductDocument,
  { isRepeated, isRemembered, began, before }: Attempting,
): void {
  const isOwn = document !== before
  if (isOwn || !isRemembered) return
  const { created, lastUpdated } = document.product
  const written = isRepeated ? lastUpdated : created
  if (written === undefined || Date.parse(written) < began.getTime()) return
  throw new Conflict(
    'The product was written after the batch began, which may have deleted it before that. Check the product and delete it with a separate request.',
  )
}

const MESSAGES = {
  created: 'Product created.',
  updated: 'Product updated.',
  unchanged: 'Nothing to change.',
  deleted: 'Product deleted.',
  gone: 'The product does not exist.',
} as const

/** The result that is returned for an outcome. */
export function resultOf(id: string | null, outcome: OperationOutcome) {
  if (!(outcome instanceof Failure)) {
    return { status: 200, success: true, id, message: MESSAGES[outcome] }
  }
  const isKnown = !(outcome instanceof Invalid) && !(outcome instanceof NotFound)
  const { code, message } = outcome
  return { status: STATUS[code], success: false, id: isKnown ? id : null, message }
}
