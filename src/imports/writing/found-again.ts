import type { Context } from '../../operation.ts'
import type { ProductDocument } from '../../products/product.ts'
import type { RowOutcome } from './apply.ts'

interface FoundAgainOptions {
  readonly ctx: Context
  readonly lostAfter: string | null
}

/**
 * Corrects the count of a batch that is done a second time, since the first run ended before its
 * report was kept: a product that this import wrote in between was created or changed by it once.
 */
export function createFoundAgain({ ctx, lostAfter }: FoundAgainOptions) {
  const until = ctx.clock.now().toISOString()
  const counted = new Set<string>()
  return (
    document: ProductDocument | undefined,
    outcomes: readonly RowOutcome[],
  ): readonly RowOutcome[] => {
    if (lostAfter === null || !document) return outcomes
    const { id, version, lastUpdated, updatedBy } = document.product
    const isOwn =
      updatedBy === ctx.caller.username && lastUpdated > lostAfter && lastUpdated < until
    const at = outcomes.indexOf('unchanged')
    if (!isOwn || at === -1 || counted.has(id)) return outcomes
    counted.add(id)
    return outcomes.with(at, version === 1 ? 'created' : 'updated')
  }
}
