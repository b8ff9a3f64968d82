import type { CatalogScope } from '../catalogs/store.ts'
import type { ProductIdentity } from '../extensions/contract.ts'
import type { Context } from '../operation.ts'
import type { Product } from '../products/product.ts'
import type { Outcome } from './outcome.ts'

/** Somebody who can be asked for stock and price. */
export interface Vendor {
  /** Under which its answers are kept; another one after each change of its settings. */
  readonly key: string
  /** Whose offers it answers. */
  readonly name: string
  /** Who counts as the one who changes the offers. */
  readonly actor: string
  isFor(catalog: string): boolean
  /** Whether its offers are for everybody who sees the catalog. */
  mayStoreIn(scope: CatalogScope): boolean
  /** Throws a Failure with a text for users. */
  ask(ctx: Context, question: Question): Promise<Reply>
}

export interface Question {
  readonly products: readonly ProductIdentity[]
  /** Values for this run, beside those of the installation. */
  readonly fields: Readonly<Record<string, string>>
  readonly workspace: string | null
}

export interface Reply {
  /** One for each product of the question. */
  readonly outcomes: readonly Outcome[]
  /** The vendor wants its answers shown, but not kept. */
  readonly noStore: boolean
}

/** A product that is asked about, as it was read. */
export interface Asked {
  readonly scope: CatalogScope
  readonly product: Product
}
