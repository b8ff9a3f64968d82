import { isDeepStrictEqual } from 'node:util'
import { Forbidden, Invalid } from '../../errors.ts'
import { type InstallationSettings, vendorsOf } from '../../extensions/installation.ts'
import type { Bound } from '../request.ts'
import type { ImportRequest } from '../schemas.ts'

type ImportFields = Readonly<Record<string, unknown>>

/** What was said: null and an empty text say nothing. */
const presentFields = (fields: ImportFields): ImportFields =>
  Object.fromEntries(
    Object.entries(fields).filter(
      ([, value]) => value !== null && value !== undefined && value !== '',
    ),
  )

/** The fields of an import that an installation's settings give. */
export const settingsFields = ({ vendor, catalog, mappings }: InstallationSettings): ImportFields =>
  presentFields({
    vendor,
    targetCatalog: catalog,
    mappings: mappings.length > 0 ? mappings : null,
  })

/** Whose offers an installation brings. */
export const boundOf = (settings: InstallationSettings): Bound => ({ vendors: vendorsOf(settings) })

/** Throws Invalid for a vendor that an installation is not for. */
export function checkVendor(
  settings: InstallationSettings,
  { vendor }: { readonly vendor: string | null },
): void {
  if (vendorsOf(settings) === 'all' || settings.vendor === null) return
  if (vendor === settings.vendor) return
  throw new Invalid(`vendor: the extension is installed for ${settings.vendor}`)
}

/** How the file is read, and what its rows may do. */
const READING = ['fileType', 'delimiter', 'quoteChar', 'header', 'zippedFile', 'sheet'] as const
const EFFECTS = [
  'fullFile',
  'missing',
  'pictures',
  'createProducts',
  'updateMetadata',
  'normalizeManufacturerName',
]

/** Fields that decide which rows are rejected, and so listed for the caller. */
const READ_BY = [
  ...(['targetCatalog', 'vendor', 'mappings', 'unmapped', 'createProducts'] as const),
  ...READING,
]

/**
 * An import key runs what somebody else chose only as installed: otherwise it could have all rows
 * rejected, and read them in the list. Throws Forbidden.
 */
export function checkAsInstalled(installed: ImportRequest, asked: ImportRequest): void {
  const changed = READ_BY.find((name) => !isDeepStrictEqual(installed[name], asked[name]))
  if (!changed) return
  throw new Forbidden(
    `${changed}: an import key runs an installed import as it is; name a fileUrl of its own to change that.`,
  )
}

/**
 * Stored fields, overlaid by those of a request. Stored credentials apply to the stored address
 * only: a caller who names another one would send them there.
 */
export function mergedFields(stored: ImportFields, request: ImportFields): Record<string, unknown> {
  const given = presentFields(request)
  const elsewhere = given.fileUrl !== undefined && given.fileUrl !== stored.fileUrl
  const { username, password, ...rest } = presentFields(stored)
  const credentials = elsewhere ? {} : presentFields({ username, password })
  return { ...rest, ...credentials, ...given }
}

/** What a remote extension may say of its file; the catalog is the installation's. */
const LOCATION = ['fileUrl', 'username', 'password', 'zipped']
const REMOTE = [...LOCATION, ...READING, ...EFFECTS, 'vendor', 'mappings', 'unmapped']

/** Of these the vendor only where it may bring the offers of all. */
export const remoteFields = (answer: ImportFields, { vendors }: Bound): ImportFields => {
  const names = vendors === 'all' ? REMOTE : REMOTE.filter((name) => name !== 'vendor')
  return presentFields(Object.fromEntries(names.map((name) => [name, answer[name]])))
}

/** What a request may change of an import that a remote extension feeds. */
const CHANGEABLE = ['targetCatalog', 'vendor', 'mappings', 'unmapped', ...EFFECTS]

export const changedFields = (request: ImportFields): ImportFields =>
  presentFields(Object.fromEntries(CHANGEABLE.map((name) => [name, request[name]])))
