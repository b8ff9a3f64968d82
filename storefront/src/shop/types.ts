import type {
  SearchAnswer as Answer,
  FoundProduct,
  GetInsightsAnswer,
  GetWorkspacesAnswer,
  Metadata,
  QuicksearchAnswer,
  Product as WholeProduct,
} from 'aisle-client'

export type { CategoryBranch, Match } from 'aisle-client'

/** A product with all its fields. */
export type Product = WholeProduct &
  Pick<FoundProduct, 'group' | 'highlight'> & { readonly explanation?: Explanation }

export type SearchAnswer = Omit<Answer, 'products'> & { readonly products: readonly Product[] }

export type Counted = NonNullable<Metadata['lists']>['vendors'][number]
/** The price of a vendor from a date on. */
export type Insight = Pick<
  GetInsightsAnswer['vendorInsights'][number],
  'id' | 'vendor' | 'date' | 'price'
>
export type Range = NonNullable<Metadata['ranges']>['price'][number]
export type Suggestions = NonNullable<QuicksearchAnswer['suggestions']>
export type Workspace = GetWorkspacesAnswer['workspaces'][number]
export type WorkspaceItem = Workspace['products'][number]

/** Why a hit was found, and why it has its rank. */
export interface Explanation {
  readonly score: number | null
  readonly parts: readonly ScorePart[]
  readonly words: readonly {
    readonly word: string
    readonly matches: readonly {
      readonly text: string
      readonly how: string
      readonly field: string
      readonly name?: string
    }[]
  }[]
  readonly aboveNext: { readonly by: string; readonly parts: readonly ScorePart[] } | null
}

interface ScorePart {
  readonly kind: string
  readonly name: string
  readonly of?: string
  readonly score: number
}
