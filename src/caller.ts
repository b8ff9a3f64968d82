/** Roles of an organization, weakest first; `operator` stands above organizations. */
export const ROLES = ['viewer', 'editor', 'administrator', 'operator'] as const
export type Role = (typeof ROLES)[number]

export const KEY_TYPES = ['full', 'search', 'import'] as const
export type KeyType = (typeof KEY_TYPES)[number]

/** Keys that an operation may be for: of a type, or those of punchout sessions, which are search keys. */
export type KeyGroup = KeyType | 'session'

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
  /** The organization that the key is bound to; null for operator and all-organization keys. */
  readonly boundTo: string | null
  /** The punchout session that the key is of, where it is of one. */
  readonly session?: { readonly id: string; readonly workspace: string } | undefined
}

export interface Sender {
  /** One text for all addresses of a client; undefined where no connection brought the request. */
  readonly address: string | undefined
  /** Its User-Agent. */
  readonly agent: string | undefined
}
