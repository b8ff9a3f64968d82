import type { AnyExtension, Manifest } from '../extensions/contract.ts'
import type { FieldDefinition } from '../extensions/fields.ts'
import {
  type Installed,
  isShared,
  type StoredValues,
  vendorsOf,
} from '../extensions/installation.ts'
import { storedValueOf } from '../extensions/stored-values.ts'
import type { AvailableExtension, InstalledExtension } from './schemas.ts'

/** An extension that can be installed. */
export const toAvailable = ({ manifest }: AnyExtension): AvailableExtension => ({
  id: manifest.id,
  category: manifest.kind,
  name: manifest.name,
  description: manifest.description,
  configUrl: manifest.configUrl,
  statusMessage: null,
  image: manifest.image,
  ready: true,
  hasValidation: manifest.calls.includes('validate'),
  allowAdHocItems: manifest.allowAdHocItems,
  hasSampleLoad: manifest.calls.includes('sample'),
  additionalData: [...manifest.fields],
  mapToVendor: manifest.mapToVendor,
})

export interface InstalledParts {
  readonly installed: Installed
  /** Undefined when the extension no longer exists. */
  readonly manifest: Manifest | undefined
  readonly origin: string | undefined
  readonly source: 'built-in' | 'remote'
  readonly shared: StoredValues
}

/** The response for an installation. Protected values are never included. */
export function toInstalled(parts: InstalledParts): InstalledExtension {
  const { installed, manifest, origin, source, shared } = parts
  const { settings } = installed
  const shown = (manifest?.fields ?? []).map((field) =>
    filled(field, installed.values, shared, origin),
  )
  return {
    id: installed.id,
    source,
    name: manifest?.name ?? installed.extension,
    description: manifest?.description ?? null,
    extensionType: installed.kind,
    vendor: settings.vendor,
    vendors: vendorsOf(settings),
    nickname: settings.nickname,
    link: manifest?.configUrl ?? null,
    enabled: installed.enabled,
    catalogFilter: [...settings.catalogFilter],
    useLinkedItems: settings.useLinkedItems,
    allowAdHocItems: manifest?.allowAdHocItems ?? false,
    allowPrice: settings.allowPrice,
    sharedData: shown.filter((field) => isShared(field)),
    additionalData: shown.filter((field) => !isShared(field)),
    extension: installed.extension,
    organization: installed.organization,
    extensionLevel: installed.level,
    catalog: settings.catalog,
    schedule: settings.schedule,
    timezone: settings.timezone,
    nextRun: installed.nextRun,
    mappings: [...settings.mappings],
    ready: manifest !== undefined,
  }
}

function filled(
  field: FieldDefinition,
  own: StoredValues,
  shared: StoredValues,
  origin: string | undefined,
): FieldDefinition {
  if (field.protected) return { ...field, defaultValue: null }
  const value = storedValueOf(field, own, shared, origin)
  if (value === undefined) return field
  return { ...field, defaultValue: value.sealed ? null : value.text }
}
