import type { ListPrices } from './list-prices.ts'

/** A vendor's offer of a product; `vendorName` identifies it within the product. */
export interface Offer {
  readonly vendorName: string
  readonly vendorPartNumber: string | null
  /** The vendor's name of the product. */
  readonly name: string | null
  readonly cost: number | null
  readonly onHand: number | null
  readonly inStock: boolean
  readonly status: string | null
}

export interface ProductImage {
  readonly id: string | null
  readonly url: string
  readonly name: string | null
  readonly type: string | null
}

export interface ProductLink {
  readonly type: string
  readonly value: string
  readonly recommended: boolean
}

/** Catalog data of a product, in the field order of the API. Annotations are separate. */
export interface Product {
  readonly id: string
  readonly description: string | null
  readonly manufacturer: string | null
  readonly manufacturerPartNumber: string | null
  readonly name: string | null
  readonly image: string | null
  readonly catalog: string
  readonly unspsc: string | null
  readonly segment: string | null
  readonly category: string | null
  readonly subCategory: string | null
  readonly updatedBy: string | null
  readonly msrp: number | null
  readonly lastUpdated: string
  /**
   * Distinguishes it from a deleted product with its id. Not shown; absent in products of older
   * versions.
   */
  readonly created?: string
  readonly images: readonly ProductImage[]
  readonly vendors: readonly Offer[]
  readonly attributes: Readonly<Record<string, string>>
  readonly filters: Readonly<Record<string, number>>
  readonly facets: Readonly<Record<string, string>>
  readonly links: readonly ProductLink[]
  readonly upcs: readonly string[]
  /** Shared by the variants of a group; absent or null if the product is not a variant. */
  readonly groupId?: string | null
  /** Distinguishes it from other variants, as by size and color; absent if it never had any. */
  readonly options?: Readonly<Record<string, string>>
  /** Hidden from searches, and altogether from search keys; null or absent if visible. */
  readonly hidden?: true | null
  /** Increased only by changes of catalog data or offers. If-Match is compared with it. */
  readonly version: number
}

export interface Note {
  readonly username: string
  readonly text: string
  readonly created: string
  readonly updated: string
}

export interface ExtensionField {
  readonly extensionId: string
  readonly key: string
  readonly value: string
}

/** Annotations of a product by the people of one organization. */
export interface Annotations {
  readonly favorite: boolean
  readonly favoriteUsers: readonly string[]
  readonly tags: readonly string[]
  /** Tags by user. */
  readonly userTags: Readonly<Record<string, readonly string[]>>
  readonly notes: readonly Note[]
  readonly extensionFields: readonly ExtensionField[]
  readonly links: readonly ProductLink[]
  readonly images: readonly ProductImage[]
  /** Ids of the latest writes, by which a write whose answer was lost is recognized. */
  readonly writes?: readonly string[]
}

export const noAnnotations: Annotations = {
  favorite: false,
  favoriteUsers: [],
  tags: [],
  userTags: {},
  notes: [],
  extensionFields: [],
  links: [],
  images: [],
}

/** The effect of one change on one field. */
export interface FieldChange {
  readonly field: string
  readonly before: unknown
  readonly after: unknown
}

/** An entry of the change log. It is in the product's `pending` until the log has stored it. */
export interface ChangeEntry {
  /** UUIDv7, generated once. Its time determines the monthly index. */
  readonly id: string
  readonly catalog: string
  readonly productId: string
  readonly version: number
  readonly updatedBy: string
  readonly source: 'api' | 'import' | 'copy' | 'real-time'
  readonly timestamp: string
  /** For a copy: its source and the version there; null if the source's log gets no entry. */
  readonly copiedFrom?: { readonly catalog: string; readonly version: number | null }
  /** For the entry that a copy leaves at its source: the other catalog. */
  readonly copiedTo?: string
  readonly changes: readonly FieldChange[]
}

/** The last change of a product by an import, so that rows read again are not applied twice. */
export interface ImportMark {
  readonly task: string
  /** The claim of the task that wrote it. */
  readonly fence: number
  /** The last applied row of the file, from 1. */
  readonly row: number
  /** The rows since the last stored checkpoint that created or updated the product. */
  readonly created?: number
  readonly updated?: readonly number[]
}

/** A picture of the catalog that was fetched and stored in Aisle. */
export interface FetchedPicture {
  /** The URL in the catalog. */
  readonly source: string
  /** The URL of the stored picture. */
  readonly url: string
  /** The task that fetched it. */
  readonly task: string
  /** Validators of the source's response, for conditional requests. */
  readonly etag?: string
  readonly lastModified?: string
}

/** An idempotent request that changed offers or list prices, so that a retry changes nothing. */
interface OfferWrite {
  readonly request: string
  /** Number of its lines that changed something. */
  readonly updated: number
  /** Indexes of rejected lines among those about the product; absent if none was. */
  readonly refused?: readonly number[]
}

/** The stored document; `search` is derived by searchFields and not part of the source. */
export interface ProductDocument {
  readonly product: Product
  /** Keyed by organization id. */
  readonly annotations: Readonly<Record<string, Annotations>>
  readonly pending: readonly ChangeEntry[]
  readonly imported?: ImportMark
  /** Digest of the import rows that made this version of the product; see `currentDigest`. */
  readonly rowDigest?: string
  /** Absent if no price list has the product. */
  readonly listPrices?: ListPrices
  /** Those of the product's pictures that were fetched. */
  readonly pictures?: readonly FetchedPicture[]
  /** The latest requests that changed offers or list prices. */
  readonly offerWrites?: readonly OfferWrite[]
}

/** Reads own properties only, since an organization may be called `constructor`. */
export function annotationsOf(
  annotations: Readonly<Record<string, Annotations>> | undefined,
  organization: string,
): Annotations {
  return annotations && Object.hasOwn(annotations, organization)
    ? { ...noAnnotations, ...annotations[organization] }
    : noAnnotations
}
