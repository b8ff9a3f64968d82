import type { ProductPatch } from '../../products/patch.ts'
import type { Offer } from '../../products/product.ts'

/** What a row says about the offer of one vendor; what it leaves out stays. */
export type OfferChange = Partial<Offer> & Pick<Offer, 'vendorName'>

/** A row as it was in the file: its cells, or its line. */
export type OriginalRow = readonly string[] | string

/** What one row wants: the catalog data of a product, and offers of it. */
export interface RowChange {
  /** The mapped id. */
  readonly id: string | null
  readonly patch: Omit<ProductPatch, 'vendors'>
  /** Entries that are added to those of the product, where the patch would replace them. */
  readonly attributes?: Readonly<Record<string, string>>
  readonly facets?: Readonly<Record<string, string>>
  readonly filters?: Readonly<Record<string, number>>
  readonly options?: Readonly<Record<string, string>>
  readonly offers: readonly OfferChange[]
  /** `update`: creates no product. `withdraw`: takes its offers off a product, and no more. `delete`: deletes it. */
  readonly action?: 'update' | 'withdraw' | 'delete'
  /** Of one that withdraws: what becomes of a product without any other offer; it stays when absent. */
  readonly afterLast?: 'hide' | 'delete'
  /** Its stock was below 0, and is taken for 0. */
  readonly wasBelowZero?: true
  /** Why nothing of it is applied, though it says which product it is about. */
  readonly refused?: string
}

/** A row that is not imported, and why. */
export interface Rejection {
  readonly line: number
  readonly original: OriginalRow
  readonly reason: string
}
