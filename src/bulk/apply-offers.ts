import type { Failure } from '../errors.ts'
import type { OfferChange } from '../formats/rows/row-change.ts'
import { type ApplyOptions, applyRows, type RowOutcome } from '../imports/writing/apply-rows.ts'
import type { Applied } from '../imports/writing/draft.ts'
import type { Steps } from '../platform/steps.ts'
import type { ProductDocument } from '../products/product.ts'
import { missingProduct } from '../products/requested-change.ts'
import { matchesKey } from './apply-operations.ts'
import { withRequestOutcome } from './idempotent-writes.ts'
import type { PlannedLine, ProductLines } from './planned-lines.ts'

export interface PlannedOffer extends PlannedLine {
  readonly offer: OfferChange
}

export type OfferOutcome = RowOutcome | Failure

interface ApplyingOffers extends Pick<ApplyOptions, 'catalog' | 'organization' | 'stamp' | 'now'> {
  /** Id of the request; undefined when it cannot be repeated. */
  readonly request: string | undefined
}

/** Applies all lines of one product in one write, and only once when the request is repeated. */
export function* applyOffers(
  { id, lines }: ProductLines<PlannedOffer>,
  existing: ProductDocument | undefined,
  { request, ...options }: ApplyingOffers,
): Steps<Applied<OfferOutcome>> {
  if (!existing || !lines.some((line) => matchesKey(existing, line))) {
    return { document: undefined, outcomes: lines.map(missingProduct) }
  }
  const changes = lines.map(({ offer }) => ({ id, patch: {}, offers: [offer] }))
  const applied = yield* applyRows(id, existing, changes, {
    ...options,
    createProducts: false,
    updateMetadata: false,
  })
  return withRequestOutcome(existing, applied, request)
}
