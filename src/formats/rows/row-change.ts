import type { ProductPatch } from '../../products/patch.ts'
import type { Offer } from '../../products/product.ts'

/** A change to the offer of one vendor; absent fields stay. */
export type OfferChange = Partial<Offer> & Pick<Offer, 'vendorName'>

/** A row as in the file: its cells, or its line. Lists of rejected rows shorten long ones. */
export type OriginalRow = readonly string[] | string

/** The changes by one row: catalog data of a product, and offers of it. */
export interface RowChange {
  /** The mapped id. */
  readonly id: string | null
  readonly patch: Omit<ProductPatch, 'vendors'>
  /** Entries to add to those of the product. The patch would replace all entries. */
  readonly attributes?: Readonly<Record<string, string>>
  readonly facets?: Readonly<Record<string, string>>
  readonly filters?: Readonly<Record<string, number>>
  readonly options?: Readonly<Record<string, string>>
  readonly offers: readonly OfferChange[]
  /**
   * `update` creates no product, `withdraw` only removes its offers from a product, and `delete`
   * deletes it.
   */
  readonly action?: 'update' | 'withdraw' | 'delete'
  /** What happens to a product without offers after `withdraw`; it stays when absent. */
  readonly afterLast?: 'hide' | 'delete'
  /** Set if its stock was below 0, and is stored as 0. */
  readonly wasBelowZero?: true
  /** The reason why the row is refused, although its product is known. */
  readonly refused?: string
}
