import type { PricesWanted } from '../catalogs/price-lists/in-effect.ts'
import type { PriceList } from '../catalogs/price-lists/price-list.ts'
import type { CatalogScope } from '../catalogs/store.ts'
import { Failure, Invalid, STATUS } from '../errors.ts'
import type { Applied, WrittenProduct } from '../imports/writing/draft.ts'
import { keysOfRow, leadingKeys } from '../imports/writing/row-keys.ts'
import { createBulkWriter } from '../imports/writing/writer.ts'
import type { Context } from '../operation.ts'
import { type LineChange, withLine } from '../price-lists/lines.ts'
import { linesIn, withLines } from '../products/list-prices.ts'
import type { ProductDocument } from '../products/product.ts'
import { missingProduct } from '../products/requested-change.ts'
import { isNamed } from './apply-operations.ts'
import { requestRun } from './batch.ts'
import { linesByProduct, type PlannedLine } from './planned-lines.ts'
import { NAMELESS, rowNamed } from './planned-operation.ts'
import type { PriceLine, PricesRequest, PricesResponse } from './price-schemas.ts'
import { writeProducts } from './write-products.ts'

interface PlannedPrice extends PlannedLine {
  readonly change: LineChange
}

interface ProductLines extends WrittenProduct {
  readonly lines: readonly PlannedPrice[]
}

type Outcome = 'updated' | 'unchanged' | Failure
type Done = readonly [id: string | null, outcome: Outcome]

/** Writes prices of a list into products that there are. */
export async function writePrices(
  ctx: Context,
  scope: CatalogScope,
  { id: list, slot }: Pick<PriceList, 'id' | 'slot'>,
  { lines }: PricesRequest,
): Promise<PricesResponse> {
  const all: (Done | undefined)[] = lines.map(() => undefined)
  const groups = await linesByProduct(ctx, scope, {
    lines,
    plan,
    refuse: (index, why) => {
      all[index] = [null, why]
    },
  })
  const writer = createBulkWriter<ProductLines, Outcome>(requestRun(ctx), {
    scope,
    expectNew: false,
    apply: ({ lines }, existing, now) =>
      applyLines(existing, lines, { list, slot, at: now.toISOString() }),
    refused: ({ lines }, reason) => lines.map(() => new Invalid(reason)),
  })
  const products = [...groups].map(([id, lines]) => ({ id, lines, size: lines.length }))
  for (const [{ id, lines }, done] of await writeProducts(writer, products)) {
    for (const [at, outcome] of done.entries()) all[lines[at]!.index] = [id, outcome]
  }
  return answerOf(all as Done[])
}

function plan(line: PriceLine, index: number): PlannedPrice {
  const { price, quantityFrom, validFrom, validTo, ...name } = line
  const row = rowNamed(name)
  const keys = row.id === null ? leadingKeys(keysOfRow(row)) : []
  if (row.id === null && keys.length === 0) throw new Invalid(NAMELESS)
  return { index, keys, row, change: { price, quantityFrom, validFrom, validTo } }
}

/** Applies the lines of one product in their order; what is refused leaves the others be. */
function applyLines(
  existing: ProductDocument | undefined,
  planned: readonly PlannedPrice[],
  wanted: PricesWanted,
): Applied<Outcome> {
  const before = linesIn(existing?.listPrices, wanted)
  let lines = before
  const outcomes = planned.map((line): Outcome => {
    if (!existing || !isNamed(existing, line)) return missingProduct()
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
  const document = existing && lines !== before ? withLines(existing, wanted, lines) : undefined
  return { document, outcomes }
}

function answerOf(all: readonly Done[]): PricesResponse {
  const results = all.map(([id, outcome]) => {
    if (!(outcome instanceof Failure)) return { status: 200, id, error: null }
    const status = STATUS[outcome.code]
    return { status, id: status === STATUS.notFound ? null : id, error: outcome.message }
  })
  const updated = all.filter(([, outcome]) => outcome === 'updated').length
  const rejected = all.filter(([, outcome]) => outcome instanceof Failure).length
  const unchanged = all.length - updated - rejected
  return {
    success: rejected === 0,
    message: `${all.length} prices: ${updated} updated, ${unchanged} unchanged, ${rejected} rejected.`,
    updated,
    unchanged,
    rejected,
    results,
  }
}
