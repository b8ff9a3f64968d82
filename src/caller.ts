/** Roles of an organization, weakest first; `operator` stands above organizations. */
export const ROLES = ['viewer', 'editor', 'administrator', 'operator'] as const
export type Role = (typeof ROLES)[number]

export const KEY_TYPES = ['full', 'search', 'import'] as const
export type KeyType = (typeof KEY_TYPES)[number]

/** Keys that an operation may be for: of a type, or those of punchout sessions, which are search keys. */
export type KeyGroup = KeyType | 'session'

export const CRITERION_TYPES = [
  'manufacturer',
  'vendor',
  'segment',
  'category',
  'subCategory',
  'categoryPath',
  'tag',
  'unspsc',
  'partNumber',
  'attribute',
  'facet',
  'groupId',
  'extensionField',
  'favorite',
  'keyword',
] as const
export type CriterionType = (typeof CRITERION_TYPES)[number]

/** Values of one type and name; a product needs one of them. */
export interface Condition {
  readonly type: CriterionType
  /** Null for types that need no name. */
  readonly name: string | null
  /** Sorted, without repetitions. */
  readonly values: readonly string[]
}

/** What of products a search key may be kept from seeing. */
export const HIDEABLE_FIELDS = [
  'vendors.vendorName',
  'vendors.vendorPartNumber',
  'vendors.cost',
  'vendors.onHand',
  'msrp',
  'links',
  'notes',
] as const
export type HideableField = (typeof HIDEABLE_FIELDS)[number]

/** The products of a catalog that are there for a key. */
export interface ProductConditions {
  /** Every one holds. */
  readonly wanted: readonly Condition[]
  /** None holds. */
  readonly excluded: readonly Condition[]
  readonly inStock: boolean
}

/** What a search key is bound to within its organization. */
export interface KeyBounds {
  /** null: any that is active. */
  readonly catalogs: readonly string[] | null
  /** A product fulfils all of them. */
  readonly filters: readonly ProductConditions[]
  /** Neither shown nor searched by. */
  readonly hide: readonly HideableField[]
  /** Name of the only price list whose prices are there; absent: not bound to one. */
  readonly priceList?: string | undefined
}

/** The organization in effect. `parent` is null for one that has none. */
export interface CallerOrganization {
  readonly id: string
  readonly name: string
  readonly parent: string | null
  /** Its own, else its parent's. */
  readonly defaultCatalog: string | null
  /** Catalogs that it may have; null: any number. */
  readonly catalogLimit: number | null
  /** What its searches may cost; null: any number. */
  readonly credits: CreditTerms | null
}

/** Search credits under a limit: the organization's own, else its parent's. */
export interface CreditTerms {
  /** The organization whose limit it is and who shares it with its children. */
  readonly account: string
  readonly perMonth: number
  /** Credits that are added when none is left; 0: none are. */
  readonly bundle: number
  readonly bundleCost: number
}

/** For how many seconds an answer may be kept, and shown while it is asked for anew. */
export interface CacheTerms {
  readonly maxAge: number
  readonly staleWhileRevalidate: number
}

/** Somebody as the issuer of their token calls them. */
export interface Identity {
  readonly issuer: string
  readonly subject: string
  /** Ids of the organizations that the token gives a role in, which reaches their children. */
  readonly organizations: readonly string[]
}

export interface Caller {
  readonly username: string
  /** The caller's role in the organization in effect. */
  readonly role: Role
  /** The role in its parent; null without a parent, or when the key does not reach the parent. */
  readonly parentRole: Role | null
  readonly keyId: string
  readonly keyType: KeyType
  /** Web origins that may use a search key; null: any. */
  readonly origins: readonly string[] | null
  /** How long caches may keep answers to the key; absent: not at all. */
  readonly cache?: CacheTerms | undefined
  /** The organization that the key is bound to; null for operator and all-organization keys. */
  readonly boundTo: string | null
  /** Who signed in, where it was by a token of an issuer and not by a key. */
  readonly identity?: Identity | undefined
  /** The punchout session that the key is of, where it is of one. */
  readonly session?: { readonly id: string; readonly workspace: string } | undefined
  /** Absent where nothing is bound. */
  readonly bounds?: KeyBounds | undefined
  /** Who uses a signed key, as its signer calls them. */
  readonly userToken?: string | undefined
}

export interface Sender {
  /** One text for all addresses of a client; undefined where no connection brought the request. */
  readonly address: string | undefined
  /** Its User-Agent. */
  readonly agent: string | undefined
}

/** What every handler may read of the request besides its input. */
export interface RequestFacts {
  /** The version of If-Match without quotes, when the caller sent one. */
  readonly ifMatch?: string
  /** The header If-None-Match, when the caller sent one. */
  readonly ifNoneMatch?: string
  /** The Idempotency-Key, when the caller sent one. */
  readonly idempotencyKey?: string
  /** The Content-Type of the body, when the caller sent one. */
  readonly contentType?: string
  /** Where the binding reads them. */
  readonly headers?: Headers
  /** The JSON body as it came, its schema checked: for what is kept as it was given. */
  readonly sent?: unknown
}
