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

/** Catalog data of a product, in the field order of the interface; annotations are apart. */
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
  readonly images: readonly ProductImage[]
  readonly vendors: readonly Offer[]
  readonly attributes: Readonly<Record<string, string>>
  readonly filters: Readonly<Record<string, number>>
  readonly facets: Readonly<Record<string, string>>
  readonly links: readonly ProductLink[]
  readonly upcs: readonly string[]
  /** Products with the same one are variants of each other; absent or null: of nothing. */
  readonly groupId?: string | null
  /** What tells it from the other variants, as size and colour; absent where it never had any. */
  readonly options?: Readonly<Record<string, string>>
  /** Searches do not find it, and it is not there for keys of pages; null or absent: they do. */
  readonly hidden?: true | null
  /** Increased only by changes of catalog data; If-Match compares it. */
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

/** An entry of the change log, in the product's `pending` until its own index holds it. */
export interface ChangeEntry {
  /** UUIDv7, generated once: its time determines the monthly index. */
  readonly id: string
  readonly catalog: string
  readonly productId: string
  readonly version: number
  readonly updatedBy: string
  readonly source: 'api' | 'import' | 'copy' | 'real-time'
  readonly timestamp: string
  /** For a copy: its source and the version there; null where the source's log is not written. */
  readonly copiedFrom?: { readonly catalog: string; readonly version: number | null }
  /** For the entry that a copy leaves at its source: the other catalog. */
  readonly copiedTo?: string
  readonly changes: readonly FieldChange[]
}

/** What an import applied to a product last: rows that are read again are not applied twice. */
export interface ImportMark {
  readonly task: string
  /** The claim of the task in which it was written. */
  readonly fence: number
  /** The last applied row of the file, from 1. */
  readonly row: number
  /** Of rows after the last stored checkpoint: which created the product, which changed it. */
  readonly created?: number
  readonly updated?: readonly number[]
}

/** A picture of the catalog that is kept here, in place of the address that it was fetched from. */
export interface FetchedPicture {
  /** The address as the catalog has it. */
  readonly source: string
  /** Where it is now. */
  readonly url: string
  /** The task that fetched it. */
  readonly task: string
  /** What its server said of it, by which it is asked whether it changed. */
  readonly etag?: string
  readonly lastModified?: string
}

/** A request with an Idempotency-Key that changed offers or list prices: done again, it changes none. */
interface OfferWrite {
  readonly request: string
  /** Lines of it that changed something. */
  readonly updated: number
  /** Places of those that were refused, among its lines about the product; none when absent. */
  readonly refused?: readonly number[]
}

/** The stored document; `search` is derived by searchFields and not part of the source. */
export interface ProductDocument {
  readonly product: Product
  /** By organization id. */
  readonly annotations: Readonly<Record<string, Annotations>>
  readonly pending: readonly ChangeEntry[]
  readonly imported?: ImportMark
  /** By what rows an import made this version of the product; see `currentDigest`. */
  readonly rowDigest?: string
  /** Absent where no price list has the product. */
  readonly listPrices?: ListPrices
  /** Fetched ones among the pictures that the product has. */
  readonly pictures?: readonly FetchedPicture[]
  /** The latest. */
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
