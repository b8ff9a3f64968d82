import type { InstallationSettings } from '../../extensions/installation.ts'

type Fields = Readonly<Record<string, unknown>>

/** What was said: null and an empty text say nothing. */
const said = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).filter(
      ([, value]) => value !== null && value !== undefined && value !== '',
    ),
  )

/** The fields of an import that an installation's settings give. Pure. */
export const settingsFields = ({ vendor, catalog, mappings }: InstallationSettings): Fields =>
  said({
    vendor,
    targetCatalog: catalog,
    mappings: mappings.length > 0 ? mappings : null,
  })

/**
 * Stored fields with those of a request over them. Stored credentials are for the stored address
 * only: who names another one would send them there. Pure.
 */
export function overlaid(stored: Fields, request: Fields): Record<string, unknown> {
  const given = said(request)
  const elsewhere = given.fileUrl !== undefined && given.fileUrl !== stored.fileUrl
  const { username, password, ...rest } = said(stored)
  const credentials = elsewhere ? {} : said({ username, password })
  return { ...rest, ...credentials, ...given }
}

/** What a remote extension may say of its file; where it goes is the installation's. */
const REMOTE = [
  'fileUrl',
  'username',
  'password',
  'fileType',
  'delimiter',
  'quoteChar',
  'header',
  'zipped',
  'zippedFile',
  'sheet',
  'fullFile',
  'createProducts',
  'updateMetadata',
  'normalizeManufacturerName',
  'vendor',
  'mappings',
]

export const remoteFields = (answer: Fields): Fields =>
  said(Object.fromEntries(REMOTE.map((name) => [name, answer[name]])))

/** What a request may change of an import that a remote extension feeds. */
const CHANGEABLE = [
  'targetCatalog',
  'vendor',
  'mappings',
  'fullFile',
  'createProducts',
  'updateMetadata',
  'normalizeManufacturerName',
]

export const changedFields = (request: Fields): Fields =>
  said(Object.fromEntries(CHANGEABLE.map((name) => [name, request[name]])))
