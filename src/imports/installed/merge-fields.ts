import { isDeepStrictEqual } from 'node:util'
import { Forbidden, Invalid } from '../../errors.ts'
import { type InstallationSettings, vendorsOf } from '../../extensions/installation.ts'
import type { Bound } from '../request.ts'
import type { ImportRequest } from '../schemas.ts'

type ImportFields = Readonly<Record<string, unknown>>

/** The fields with a value; null and an empty text count as absent. */
const presentFields = (fields: ImportFields): ImportFields =>
  Object.fromEntries(
    Object.entries(fields).filter(
      ([, value]) => value !== null && value !== undefined && value !== '',
    ),
  )

/** The import fields that an installation's settings define. */
export const settingsFields = ({ vendor, catalog, mappings }: InstallationSettings): ImportFields =>
  presentFields({
    vendor,
    targetCatalog: catalog,
    mappings: mappings.length > 0 ? mappings : null,
  })

/** The vendors whose offers an installation may import. */
export const boundOf = (settings: InstallationSettings): Bound => ({ vendors: vendorsOf(settings) })

/** Throws Invalid for a vendor for which the extension is not installed. */
export function checkVendor(
  settings: InstallationSettings,
  { vendor }: { readonly vendor: string | null },
): void {
  if (vendorsOf(settings) === 'all' || settings.vendor === null) return
  if (vendor === settings.vendor) return
  throw new Invalid(`vendor: the extension is installed for ${settings.vendor}`)
}

/** Fields that decide how a file is read, and what its rows may do. */
const READING = ['fileType', 'delimiter', 'quoteChar', 'header', 'zippedFile', 'sheet'] as const
const EFFECTS = [
  'fullFile',
  'missing',
  'pictures',
  'createProducts',
  'updateMetadata',
  'normalizeManufacturerName',
]

/** Fields that affect which rows are rejected and so listed for the caller. */
const READ_BY = [
  ...(['targetCatalog', 'vendor', 'mappings', 'unmapped', 'createProducts'] as const),
  ...READING,
]

/**
 * An import key may not change an import that somebody else installed. Otherwise it could have all
 * rows rejected and read them in the list. Throws Forbidden.
 */
export function checkAsInstalled(installed: ImportRequest, asked: ImportRequest): void {
  const changed = READ_BY.find((name) => !isDeepStrictEqual(installed[name], asked[name]))
  if (!changed) return
  throw new Forbidden(
    `${changed}: an import key cannot change this field of an installed import; send a fileUrl as well to change it`,
  )
}

/**
 * Stored fields, overridden by those of a request. Stored credentials only apply to the stored
 * address, so that a caller cannot have them sent elsewhere.
 */
export function mergedFields(stored: ImportFields, request: ImportFields): Record<string, unknown> {
  const given = presentFields(request)
  const elsewhere = given.fileUrl !== undefined && given.fileUrl !== stored.fileUrl
  const { username, password, ...rest } = presentFields(stored)
  const credentials = elsewhere ? {} : presentFields({ username, password })
  return { ...rest, ...credentials, ...given }
}

/** Fields that a remote extension may set. The catalog is that of the installation. */
const LOCATION = ['fileUrl', 'username', 'password', 'zipped']
const REMOTE = [...LOCATION, ...READING, ...EFFECTS, 'vendor', 'mappings', 'unmapped']

/** The fields of an answer. The vendor counts only if offers of all vendors are accepted. */
export const remoteFields = (answer: ImportFields, { vendors }: Bound): ImportFields => {
  const names = vendors === 'all' ? REMOTE : REMOTE.filter((name) => name !== 'vendor')
  return presentFields(Object.fromEntries(names.map((name) => [name, answer[name]])))
}

/** Fields that a request may change if a remote extension provides the file. */
const CHANGEABLE = ['targetCatalog', 'vendor', 'mappings', 'unmapped', ...EFFECTS]

export const changedFields = (request: ImportFields): ImportFields =>
  presentFields(Object.fromEntries(CHANGEABLE.map((name) => [name, request[name]])))
