import type { PricesWanted } from '../catalogs/price-lists/in-effect.ts'
import { Failure } from '../errors.ts'
import type { Applied } from '../imports/writing/draft.ts'
import { mapSteps, type Steps } from '../platform/steps.ts'
import { type LineChange, withLine } from '../price-lists/lines.ts'
import { linesIn, withLines } from '../products/list-prices.ts'
import type { ProductDocument } from '../products/product.ts'
import { missingProduct } from '../products/requested-change.ts'
import { matchesKey } from './apply-operations.ts'
import { withRequestOutcome } from './idempotent-writes.ts'
import type { PlannedLine, ProductLines } from './planned-lines.ts'

export interface PlannedPrice extends PlannedLine {
  readonly change: LineChange
}

export type PriceOutcome = 'updated' | 'unchanged' | Failure

interface ApplyingPrices extends PricesWanted {
  /** Id of the request; undefined when it cannot be repeated. */
  readonly request: string | undefined
}

/**
 * Applies the lines of one product in order, and only once when the request is repeated. A refused
 * line does not affect the others.
 */
export function* applyPrices(
  { lines: planned }: Pick<ProductLines<PlannedPrice>, 'lines'>,
  existing: ProductDocument | undefined,
  { request, ...wanted }: ApplyingPrices,
): Steps<Applied<PriceOutcome>> {
  if (!existing) return { document: undefined, outcomes: planned.map(missingProduct) }
  const before = linesIn(existing.listPrices, wanted)
  let lines = before
  const apply = (line: PlannedPrice): PriceOutcome => {
    if (!matchesKey(existing, line)) return missingProduct()
    try {
      const next = withLine(lines, line.change)
      const outcome = next === lines ? 'unchanged' : 'updated'
      lines = next
      return outcome
    } catch (error) {
      if (error instanceof Failure) return error
      throw error
    }
  }
  const outcomes = yield* mapSteps(planned, apply)
  const document = lines === before ? undefined : withLines(existing, wanted, lines)
  return withRequestOutcome(existing, { document, outcomes }, request)
}
