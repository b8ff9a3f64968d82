import { csvText } from '../../imports/csv-text.ts'
import type { Offer } from '../../products/product.ts'
import type { ProductView } from '../../products/view.ts'
import { guarded } from './formula.ts'
import type { Column, Value } from './product-columns.ts'

/** How a file of cells is written. */
export interface CsvFormat {
  readonly columns: readonly Column[]
  readonly delimiter: string
}

const NO_OFFER: readonly (Offer | null)[] = [null]

/** A number is never a formula, a text may be. */
function cellOf(value: Value): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return guarded(value)
  return typeof value === 'object' ? guarded(value.join('|')) : String(value)
}

/** The header row. Pure. */
export const csvHeader = ({ columns, delimiter }: CsvFormat): string =>
  csvText(
    columns.map(({ heading }) => guarded(heading)),
    delimiter,
  )

/** A row for each vendor's offer of a product, or one for a product without. Pure. */
export function csvRows(product: ProductView, { columns, delimiter }: CsvFormat): string {
  const { vendors = [] } = product
  const aboutOffers = columns.some(({ ofOffer }) => ofOffer)
  const offers = aboutOffers && vendors.length > 0 ? vendors : NO_OFFER
  return offers
    .map((offer) =>
      csvText(
        columns.map(({ value }) => cellOf(value(product, offer))),
        delimiter,
      ),
    )
    .join('')
}
