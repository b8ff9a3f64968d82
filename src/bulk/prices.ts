import type { PriceList } from '../catalogs/price-lists/price-list.ts'
import type { CatalogScope } from '../catalogs/store.ts'
import { Failure, Invalid, STATUS } from '../errors.ts'
import { createBulkWriter } from '../imports/writing/writer.ts'
import type { Context } from '../operation.ts'
import { refreshSoon } from '../products/refresh-soon.ts'
import { applyPrices, type PlannedPrice, type PriceOutcome } from './apply-prices.ts'
import { requestRun } from './batch.ts'
import type { BatchAttempt } from './idempotency.ts'
import { pricesAnswer } from './merge-attempts.ts'
import { linesByProduct, type ProductLines } from './planned-lines.ts'
import { NAMELESS, namingKeys, rowNamed } from './planned-operation.ts'
import type { PricesRequest, PricesResponse, RequestedPrice } from './price-schemas.ts'
import { batchEnd, writeProducts } from './write-products.ts'

type PriceLineResult = readonly [id: string | null, outcome: PriceOutcome]

interface WrittenLines extends PricesRequest {
  readonly attempt: BatchAttempt
}

/** Writes prices of a price list into existing products. */
export async function writePrices(
  ctx: Context,
  scope: CatalogScope,
  { id: list, slot }: Pick<PriceList, 'id' | 'slot'>,
  { lines, attempt: { id: request, isRemembered, isOpen } }: WrittenLines,
): Promise<PricesResponse> {
  const end = batchEnd()
  const all = lines.map((): PriceLineResult => [null, 'unchanged'])
  const groups = await linesByProduct(ctx, scope, {
    lines,
    isOpen,
    plan,
    refuse: (index, why) => {
      all[index] = [null, why]
    },
  })
  const writer = createBulkWriter<ProductLines<PlannedPrice>, PriceOutcome>(requestRun(ctx), {
    scope,
    expectNew: false,
    apply: (product, existing, now) =>
      applyPrices(product, existing, {
        ...{ list, slot, at: now.toISOString() },
        request: isRemembered ? request : undefined,
      }),
    refused: ({ lines }, reason) => lines.map(() => new Invalid(reason)),
  })
  for (const [{ id, lines }, done] of await writeProducts(writer, groups, { end, ctx })) {
    for (const [at, outcome] of done.entries()) all[lines[at]!.index] = [id, outcome]
  }
  refreshSoon(ctx, scope)
  return answerOf(all)
}

function plan(line: RequestedPrice, index: number): PlannedPrice {
  const { price, quantityFrom, validFrom, validTo, ...name } = line
  const row = rowNamed(name)
  const keys = namingKeys(row, NAMELESS)
  return { index, keys, row, change: { price, quantityFrom, validFrom, validTo } }
}

function answerOf(all: readonly PriceLineResult[]): PricesResponse {
  const results = all.map(([id, outcome]) => {
    if (!(outcome instanceof Failure)) return { status: 200, id, error: null }
    const status = STATUS[outcome.code]
    return { status, id: status === STATUS.notFound ? null : id, error: outcome.message }
  })
  const updated = all.filter(([, outcome]) => outcome === 'updated').length
  const rejected = all.filter(([, outcome]) => outcome instanceof Failure).length
  return pricesAnswer({ updated, rejected, results })
}
