/** Shapes of Aisle's answers (revision 6.0) that the storefront reads; `/docs` has all of them. */

interface Offer {
  readonly vendorName: string
  readonly vendorPartNumber: string | null
  readonly cost: number | null
  readonly onHand: number | null
  readonly inStock: boolean
  readonly status: string | null
}

export interface Product {
  readonly id: string
  readonly catalog: string
  readonly name: string | null
  readonly description: string | null
  readonly manufacturer: string | null
  readonly manufacturerPartNumber: string | null
  readonly image: string | null
  readonly images: readonly { readonly url: string; readonly name: string | null }[]
  readonly segment: string | null
  readonly category: string | null
  readonly subCategory: string | null
  readonly msrp: number | null
  readonly vendors?: readonly Offer[]
  readonly attributes: Readonly<Record<string, string>>
  readonly links: readonly { readonly type: string; readonly value: string }[]
  readonly notes: readonly { readonly username: string; readonly text: string }[]
  readonly favorite: { readonly user: boolean; readonly company: boolean }
  readonly tags?: readonly string[]
  readonly userTags?: readonly string[]
  readonly upcs?: readonly string[]
  readonly groupId?: string
  readonly options?: Readonly<Record<string, string>>
  readonly group?: {
    readonly variants: number
    readonly options: Readonly<Record<string, readonly string[]>>
  }
  readonly explanation?: Explanation
  readonly highlight?: { readonly name?: string; readonly description?: readonly string[] }
}

/** A point of Get Insights: what a vendor asked from then on. */
export interface Insight {
  readonly id: string
  readonly vendor: string
  /** ISO 8601. */
  readonly date: string
  readonly price: number | null
}

/** Why a hit is found and stands where it does. */
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

export interface Workspace {
  readonly id: string
  readonly name: string
  readonly products: readonly WorkspaceItem[]
  readonly totals: { readonly items: number; readonly quantity: number; readonly price: number }
}

export interface WorkspaceItem {
  readonly id: string
  readonly productId: string
  readonly catalog: string
  readonly product: Product
  readonly details: { readonly quantity: number; readonly price: number | null }
  readonly deleted: boolean
}

/** A product that the extension `bom` found for a line of a list. */
export interface Match {
  readonly productId: string
  readonly source: string
  readonly matchedTo: string
  readonly qty: string | null
  readonly mfp: string | null
  readonly name: string | null
  readonly matchGroup: string
  readonly scorer: string
  readonly score: number
}

export interface Counted {
  readonly value: string
  readonly count: number
}

export interface Range {
  readonly min: number
  readonly max: number
  readonly count: number
}

interface NumberRanges {
  readonly name: string
  readonly min: number
  readonly max: number
  readonly step: number
  readonly ranges: readonly Range[]
}

export interface CategoryBranch {
  readonly name: string
  readonly path: string
  readonly count: number
  readonly children: readonly CategoryBranch[]
}

export interface Metadata {
  readonly counts?: { readonly price: { readonly min: number | null; readonly max: number | null } }
  readonly lists?: {
    readonly facets: readonly { readonly name: string; readonly values: readonly Counted[] }[]
    readonly manufacturers: readonly Counted[]
    readonly vendors: readonly Counted[]
  }
  readonly ranges?: {
    readonly price: readonly Range[]
    readonly numbers: readonly NumberRanges[]
  }
  readonly categoryTree?: readonly CategoryBranch[]
  readonly facetSearch?: Readonly<Record<string, number>>
}

export interface SearchAnswer {
  readonly products: readonly Product[]
  readonly total: number
  readonly metadata?: Metadata
  readonly droppedWords?: readonly string[]
  readonly correctedTo?: string
  readonly searchId?: string
  readonly redirect?: string
  readonly took: number
}

export interface Suggestions {
  readonly products?: readonly {
    readonly id: string
    readonly name: string | null
    readonly manufacturer: string | null
    readonly manufacturerPartNumber: string | null
    readonly image: string | null
    readonly price: number | null
    readonly inStock: boolean
  }[]
  readonly queries?: readonly {
    readonly keywords: string
    readonly source: 'history' | 'catalog'
  }[]
  readonly categories?: readonly {
    readonly name: string
    readonly segment?: string
    readonly category?: string
    readonly subCategory?: string
    readonly manufacturer?: readonly string[]
    readonly products: number
  }[]
}

export interface Criterion {
  readonly type: string
  readonly name?: string
  readonly value: string
}

/** Body of Search. */
export interface SearchRequest {
  readonly keywords?: string
  readonly typing?: boolean
  readonly page?: number
  readonly pageSize?: number
  readonly sort?: string
  readonly inStock?: boolean
  readonly lowPrice?: number
  readonly highPrice?: number
  readonly manufacturer?: readonly string[]
  readonly vendors?: readonly string[]
  readonly must?: readonly Criterion[]
  readonly exclude?: readonly Criterion[]
  readonly filters?: readonly {
    readonly name: string
    readonly min?: number
    readonly max?: number
  }[]
  readonly group?: boolean
  readonly highlight?: boolean
  readonly explain?: boolean
  readonly counts?: boolean
  readonly includeMetadata?: boolean
  readonly analytics?: boolean
  readonly visitor?: string
  readonly facets?: {
    readonly most?: number
    readonly lists?: boolean
    readonly ranges?: boolean
    readonly tree?: boolean
  }
  readonly facetSearch?: { readonly name?: string; readonly text: string; readonly type: string }
}
