import type { Context } from '../operation.ts'
import type { ExtensionKind, Vendors } from './contract.ts'
import type { FieldDefinition } from './fields.ts'
import type { Mapping } from './mapping.ts'

export const LEVELS = ['organization', 'user'] as const
type Level = (typeof LEVELS)[number]

/** The value of a field. A protected one is kept sealed, also when its field is not protected later. */
export interface StoredValue {
  readonly text: string
  readonly sealed: boolean
  /** Of a sealed one: the destinations that it was entered for. Earlier versions stored none. */
  readonly to?: readonly string[]
}
export type StoredValues = Readonly<Record<string, StoredValue>>

/** What an administrator says of an installed extension besides its values. */
export interface InstallationSettings {
  /** Whose offers it brings or asks about; without one it stores none. */
  readonly vendor: string | null
  /** Absent of what was installed before it could be said. */
  readonly vendors?: Vendors
  readonly catalog: string | null
  readonly nickname: string | null
  /** Catalogs that it is for; empty: all. */
  readonly catalogFilter: readonly string[]
  /** Five-field cron text, in `timezone`. */
  readonly schedule: string | null
  readonly timezone: string | null
  readonly mappings: readonly Mapping[]
  /** Kept and shown for who asks for them; nothing acts on them. */
  readonly useLinkedItems: boolean
  readonly allowPrice: boolean
}

/** An installed extension as it is stored. */
export interface Installation {
  readonly id: string
  /** The id of the extension among the available ones. */
  readonly extension: string
  readonly kind: ExtensionKind
  /** `user`: only the one who installed it sees and runs it. */
  readonly level: Level
  readonly username: string
  readonly enabled: boolean
  readonly created: string
  /** When its schedule is due next. */
  readonly nextRun: string | null
  /** The task that the schedule started last. */
  readonly lastTask?: string | null
  readonly settings: InstallationSettings
  readonly values: StoredValues
}

/** An installation with the organization that it is in: the caller's or its parent's. */
export interface Installed extends Installation {
  readonly organization: string
}

export const noSettings: InstallationSettings = {
  vendor: null,
  vendors: 'one',
  catalog: null,
  nickname: null,
  catalogFilter: [],
  schedule: null,
  timezone: null,
  mappings: [],
  useLinkedItems: false,
  allowPrice: false,
}

/** Before it could be said, who named no vendor meant all of them. */
export const vendorsOf = ({ vendor, vendors }: InstallationSettings): Vendors =>
  vendors ?? (vendor === null ? 'all' : 'one')

/**
 * Whether the caller may see it at all. A user's own stays in the organization where it is: an
 * administrator of a child may add a user of the parent's name, and make keys for them. A search key travels in web
 * pages: what somebody has agreed with a vendor is not for it.
 */
export const isVisibleTo = (
  { caller, organization }: Pick<Context, 'caller' | 'organization'>,
  found: Installed,
): boolean =>
  found.level === 'organization' ||
  (caller.keyType !== 'search' &&
    found.username === caller.username &&
    found.organization === organization.id)

/** Whether it is for the products of a catalog. */
export const isFor = ({ settings }: Installation, catalog: string): boolean =>
  settings.catalogFilter.length === 0 || settings.catalogFilter.includes(catalog)

/** Whether its value is the organization's, not the installation's. */
export const isShared = ({ sharedKey }: FieldDefinition): boolean => sharedKey !== null

const SEPARATOR = '\u001f'

/**
 * Shared values are kept once for an organization, under this name; protected ones once for the
 * extensions of one origin, since whoever else names the key shall not receive them.
 */
export function sharedName(field: FieldDefinition, origin?: string): string | undefined {
  const { sharedKey, sharedId } = field
  if (sharedKey === null) return undefined
  const name = `${sharedKey}/${sharedId ?? field.field}`
  return field.protected && origin !== undefined ? `${name}${SEPARATOR}${origin}` : name
}

/** The name without the origin that may stand in it. */
export const plainName = (name: string): string => name.split(SEPARATOR, 1)[0]!
