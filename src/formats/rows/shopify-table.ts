import type { FileRows, ReadingSettings } from '../format.ts'
import { createTally } from './column-tally.ts'
import { noFieldFor } from './column-uses.ts'
import { valuesRow } from './named-values.ts'
import type { RawRow } from './raw-row.ts'
import { wellShaped } from './row-shape.ts'
import { isHidden, shopifyRows, shopifyUses, spareHeadings, variantOf } from './shopify.ts'

interface ShopifyTable {
  readonly rows: AsyncIterable<readonly RawRow[]>
  cellsOf(row: RawRow): string[]
  readonly headings: readonly string[]
  readonly delimiter: string | undefined
}

/** A products file of Shopify: several rows are one product, and options have names of their own. Throws Invalid. */
export function openShopify(
  { headings, rows, cellsOf, delimiter }: ShopifyTable,
  { vendor, fallbackVendor = null, unmapped }: ReadingSettings,
): FileRows {
  const spare = spareHeadings(headings)
  if (unmapped === 'fail' && spare.length > 0) throw noFieldFor(spare)
  const columns = { headings, attributes: new Set(unmapped === 'ignore' ? [] : spare) }
  const tally = createTally(shopifyUses(columns), { width: headings.length, warnings: [] })
  let hidden = 0
  const shaped = (row: RawRow, cells: readonly string[]): readonly string[] => {
    tally.count(row.line, cells)
    const whole = wellShaped(cells, headings.length, row.after)
    if (isHidden(headings, whole)) hidden++
    return whole
  }
  return {
    batches: shopifyRows(columns, rows, { cellsOf, shaped }),
    read: (row) => valuesRow(variantOf(row).values, vendor, fallbackVendor),
    original: (row) => variantOf(row).cells,
    headings,
    notes: ['Read as a products file of Shopify.'],
    // All rows are put together anew after an interruption, and so counted.
    columns: {
      ...tally,
      resume: () => undefined,
      get warnings() {
        return hidden > 0 ? [hiddenWarning(hidden)] : []
      },
    },
    delimiter: delimiter ?? null,
  }
}

const hiddenWarning = (count: number): string =>
  `Rows of products that are drafts, archived or not published in Shopify: ${count}. They are imported like the others.`
