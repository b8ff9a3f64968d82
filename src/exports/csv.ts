import { guarded } from '../imports/rows/formula.ts'
import type { Offer } from '../products/product.ts'
import type { ProductView } from '../products/view.ts'
import type { Column, Value } from './columns.ts'

/** How a file of cells is written. */
export interface CsvFormat {
  readonly columns: readonly Column[]
  readonly delimiter: string
}

const NO_OFFER: readonly (Offer | null)[] = [null]

/** One row of texts, quoted where a reader needs it. */
const rowOf = (cells: readonly string[], delimiter: string): string =>
  `${cells.map(quoted).join(delimiter)}\r\n`

// Whatever the delimiter: a program that guesses another one shall not cut the cell.
const quoted = (text: string): string =>
  /[",;\t\r\n|]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text

/** A number is never a formula, a text may be. */
function cellOf(value: Value): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return guarded(value)
  return typeof value === 'object' ? guarded(value.join('|')) : String(value)
}

/** The header row. Pure. */
export const csvHeader = ({ columns, delimiter }: CsvFormat): string =>
  rowOf(
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
      rowOf(
        columns.map(({ value }) => cellOf(value(product, offer))),
        delimiter,
      ),
    )
    .join('')
}
