import { toProduct40 } from '../../products/revisions.ts'
import type { ProductView } from '../../products/view.ts'

/** One line: a product as the interface shows it. Pure. */
export const jsonLine = (product: ProductView): string =>
  `${JSON.stringify(toProduct40(product))}\n`
