import type { PricesWanted } from '../catalogs/price-lists/in-effect.ts'
import { Failure } from '../errors.ts'
import type { Applied, WrittenProduct } from '../imports/writing/draft.ts'
import { type LineChange, withLine } from '../price-lists/lines.ts'
import { linesIn, withLines } from '../products/list-prices.ts'
import type { ProductDocument } from '../products/product.ts'
import { missingProduct } from '../products/requested-change.ts'
import { isNamed } from './apply-operations.ts'
import type { PlannedLine } from './planned-lines.ts'
import { writtenOnce } from './written-once.ts'

export interface PlannedPrice extends PlannedLine {
  readonly change: LineChange
}

export interface ProductLines extends WrittenProduct {
  readonly lines: readonly PlannedPrice[]
}

export type PriceOutcome = 'updated' | 'unchanged' | Failure

interface ApplyingPrices extends PricesWanted {
  /** The request, where it may come again. */
  readonly request: string | undefined
}

/**
 * Applies the lines of one product in their order, and once where the request comes again; what is
 * refused leaves the others be.
 */
export function applyPrices(
  { lines: planned }: Pick<ProductLines, 'lines'>,
  existing: ProductDocument | undefined,
  { request, ...wanted }: ApplyingPrices,
): Applied<PriceOutcome> {
  if (!existing) return { document: undefined, outcomes: planned.map(missingProduct) }
  const before = linesIn(existing.listPrices, wanted)
  let lines = before
  const outcomes = planned.map((line): PriceOutcome => {
    if (!isNamed(existing, line)) return missingProduct()
    try {
      const next = withLine(lines, line.change)
      const outcome = next === lines ? 'unchanged' : 'updated'
      lines = next
      return outcome
    } catch (error) {
      if (error instanceof Failure) return error
      throw error
    }
  })
  const document = lines === before ? undefined : withLines(existing, wanted, lines)
  return writtenOnce(existing, { document, outcomes }, request)
}
