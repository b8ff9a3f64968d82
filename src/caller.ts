/** Roles of an organization, weakest first; `operator` stands above organizations. */
export const ROLES = ['viewer', 'editor', 'administrator', 'operator'] as const
export type Role = (typeof ROLES)[number]

export const KEY_TYPES = ['full', 'search', 'import'] as const
export type KeyType = (typeof KEY_TYPES)[number]

/**
 * The groups of keys that operations accept: a type, or those of punchout sessions, which are
 * search keys.
 */
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

/** Values of one type and name, of which a product needs one. */
export interface Condition {
  readonly type: CriterionType
  /** Null for types that need no name. */
  readonly name: string | null
  /** Sorted, without repetitions. */
  readonly values: readonly string[]
}

/** Fields of products that may be hidden from a search key. */
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

/** The products of a catalog that exist for a key. */
export interface ProductConditions {
  /** All of these conditions hold. */
  readonly wanted: readonly Condition[]
  /** None of these conditions holds. */
  readonly excluded: readonly Condition[]
  readonly inStock: boolean
}

/** The restrictions of a search key within its organization. */
export interface KeyBounds {
  /** Names of catalogs; null: any active one. */
  readonly catalogs: readonly string[] | null
  /** A product satisfies all of them. */
  readonly filters: readonly ProductConditions[]
  /** Fields that are neither shown nor searched. */
  readonly hide: readonly HideableField[]
  /** Name of the only price list whose prices exist for the key; absent: no restriction. */
  readonly priceList?: string | undefined
}

/** The organization in effect. `parent` is null for one that has none. */
export interface CallerOrganization {
  readonly id: string
  readonly name: string
  readonly parent: string | null
  /** The organization's own default catalog, else its parent's. */
  readonly defaultCatalog: string | null
  /** Maximum number of catalogs; null: unlimited. */
  readonly catalogLimit: number | null
  /** The limit on its searches; null: none. */
  readonly credits: CreditTerms | null
}

/** Search credits under a limit: the organization's own, else its parent's. */
export interface CreditTerms {
  /** The organization that has the limit, and shares it with its children. */
  readonly account: string
  readonly perMonth: number
  /** Credits that are added when none is left; 0: none. */
  readonly bundle: number
  readonly bundleCost: number
}

/** Seconds for which caches may keep an answer, and may still serve it while they revalidate it. */
export interface CacheTerms {
  readonly maxAge: number
  readonly staleWhileRevalidate: number
}

/** A person as the issuer of their token identifies them. */
export interface Identity {
  readonly issuer: string
  readonly subject: string
  /** Ids of the organizations in which the token grants a role, which extends to their children. */
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
  /** The person who signed in by a token of an issuer; absent for a key. */
  readonly identity?: Identity | undefined
  /** The punchout session of the key, if it belongs to one. */
  readonly session?: { readonly id: string; readonly workspace: string } | undefined
  /** Absent without restrictions. */
  readonly bounds?: KeyBounds | undefined
  /** The user of a signed key, as its signer names them. */
  readonly userToken?: string | undefined
}

export interface Sender {
  /** One text for all addresses of a client; undefined for a request without a connection. */
  readonly address: string | undefined
  /** Its User-Agent. */
  readonly agent: string | undefined
}

/** The facts of a request that every handler may read besides its input. */
export interface RequestFacts {
  /** The version of If-Match without quotes, when the caller sent one. */
  readonly ifMatch?: string | undefined
  /** The header If-None-Match, when the caller sent one. */
  readonly ifNoneMatch?: string
  /** The Idempotency-Key, when the caller sent one. */
  readonly idempotencyKey?: string
  /** Present if the binding reads headers. */
  readonly headers?: Headers
  /** The JSON body as received, after validation, for data that is stored unchanged. */
  readonly sent?: unknown
}
