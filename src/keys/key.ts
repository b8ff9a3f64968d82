import type { CacheTerms, KeyType, Revision } from '../operation.ts'
import type { Family, Organization } from '../organizations/organization.ts'
import { memoizeWeak } from '../platform/memoize-weak.ts'
import type { StoredBounds } from './bounds.ts'
import { hashOf, prefixOf } from './key-text.ts'

/** The stored form of a key, without the key itself. */
export interface Key {
  readonly id: string
  /** SHA-256 of the key, base64url. */
  readonly hash: string
  readonly prefix: string
  readonly name: string
  readonly keyType: KeyType
  readonly username: string
  /** `organization`: that one and its children; `user`: all organizations of the user. */
  readonly reach: 'operator' | 'user' | 'organization'
  /** The organization in effect when it was generated; null for operator keys. */
  readonly organization: string | null
  /** The membership behind the key: the key ends with it, even when the user joins again. */
  readonly membership: string | null
  readonly origins: readonly string[] | null
  /** Absent in keys without restrictions, such as those older than restrictions. */
  readonly bounds?: StoredBounds | null
  /** The session that the key ends with; `setupKey` is the hash of the key that set it up. */
  readonly session?: {
    readonly id: string
    readonly workspace: string
    readonly setupKey: string
  } | null
  /** Of a search key: how long caches may keep answers to it; absent and null: not at all. */
  readonly cache?: CacheTerms | null
  readonly expires: string | null
  /** The revision of requests that name none; absent in keys that are older than this field. */
  readonly defaultVersion?: string | null
  readonly enabled: boolean
  readonly created: string
}

/** What a key is called, and what it reaches. */
export type KeyFacts = Pick<Key, 'name' | 'reach' | 'organization'>

/** The default revision of new keys and of tokens. */
export const DEFAULT_VERSION: Revision = '6.0'

/** An enabled key made now, of which only the hash is kept. */
export const newKey = (
  secret: string,
  now: Date,
  key: Omit<Key, 'id' | 'hash' | 'prefix' | 'defaultVersion' | 'enabled' | 'created'>,
): Key => ({
  ...key,
  defaultVersion: DEFAULT_VERSION,
  id: crypto.randomUUID(),
  hash: hashOf(secret),
  prefix: prefixOf(secret),
  enabled: true,
  created: now.toISOString(),
})

/** Neither disabled nor expired. */
export const isActive = ({ enabled, expires }: Key, now: Date): boolean =>
  enabled && (expires === null || new Date(expires) > now)

/** By the name of the user, once for an organization as read, since lists have thousands of keys. */
const membershipByUser = memoizeWeak(
  ({ users }: Organization) =>
    new Map(users.map(({ username, membership }) => [username, membership])),
)

/** Whether the key's membership still exists in `home`: where it was generated, and its parent. */
export const isMembershipCurrent = (
  { reach, username, membership }: Key,
  home: Family | undefined,
): boolean =>
  reach === 'operator' ||
  [home?.organization, home?.parent].some(
    (one) => one && membershipByUser(one).get(username) === membership,
  )
