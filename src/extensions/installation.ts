import type { Context } from '../operation.ts'
import type { ExtensionKind, Vendors } from './contract.ts'
import type { FieldDefinition } from './fields.ts'
import type { Mapping } from './mapping.ts'

export const LEVELS = ['organization', 'user'] as const
type Level = (typeof LEVELS)[number]

/**
 * The value of a field. A protected value stays sealed even when its field is no longer protected.
 */
export interface StoredValue {
  readonly text: string
  readonly sealed: boolean
  /** The destinations for which a sealed value was entered. Earlier versions stored none. */
  readonly to?: readonly string[]
}
export type StoredValues = Readonly<Record<string, StoredValue>>

/** Settings of an installation besides its values. */
export interface InstallationSettings {
  /** The vendor of its offers. Without one it stores no offers. */
  readonly vendor: string | null
  /** Absent in installations older than the setting. */
  readonly vendors?: Vendors
  readonly catalog: string | null
  readonly nickname: string | null
  /** Catalogs that it is for; empty means all. */
  readonly catalogFilter: readonly string[]
  /** Five-field cron text, in `timezone`. */
  readonly schedule: string | null
  readonly timezone: string | null
  readonly mappings: readonly Mapping[]
  /** Stored and returned, but not used. */
  readonly useLinkedItems: boolean
  readonly allowPrice: boolean
}

/** An installed extension as it is stored. */
export interface Installation {
  readonly id: string
  /** The id of the extension among the available ones. */
  readonly extension: string
  readonly kind: ExtensionKind
  /** `user`: visible and usable only for the user who installed it. */
  readonly level: Level
  readonly username: string
  readonly enabled: boolean
  readonly created: string
  /** The next scheduled run. */
  readonly nextRun: string | null
  /** The last task that the schedule started. */
  readonly lastTask?: string | null
  readonly settings: InstallationSettings
  readonly values: StoredValues
}

/** An installation and the organization that owns it: the caller's or its parent. */
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

/** Installations older than the setting used all vendors if they named none. */
export const vendorsOf = ({ vendor, vendors }: InstallationSettings): Vendors =>
  vendors ?? (vendor === null ? 'all' : 'one')

/**
 * Whether the caller may see it. A personal installation is visible only in its organization, since
 * an administrator of a child may add a user of the parent's name and generate keys for them.
 * Search keys are embedded in web pages, so terms agreed with a vendor stay hidden from them.
 */
export const isVisibleTo = (
  { caller, organization }: Pick<Context, 'caller' | 'organization'>,
  found: Installed,
): boolean =>
  found.level === 'organization' ||
  (caller.keyType !== 'search' &&
    found.username === caller.username &&
    found.organization === organization.id)

/** Whether it is enabled for a catalog. */
export const isFor = ({ settings }: Installation, catalog: string): boolean =>
  settings.catalogFilter.length === 0 || settings.catalogFilter.includes(catalog)

/** Whether its value belongs to the organization, not to the installation. */
export const isShared = ({ sharedKey }: FieldDefinition): boolean => sharedKey !== null

const SEPARATOR = '\u001f'

/**
 * The name under which an organization stores a shared value. A protected value is stored once per
 * origin, since another extension that uses the same key must not receive it.
 */
export function sharedName(field: FieldDefinition, origin?: string): string | undefined {
  const { sharedKey, sharedId } = field
  if (sharedKey === null) return undefined
  const name = `${sharedKey}/${sharedId ?? field.field}`
  return field.protected && origin !== undefined ? `${name}${SEPARATOR}${origin}` : name
}

/** The name without its origin. */
export const plainName = (name: string): string => name.split(SEPARATOR, 1)[0]!
