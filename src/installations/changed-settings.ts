import { type InstallationSettings, vendorsOf } from '../extensions/installation.ts'
import type { ExtensionInstallRequest } from './schemas.ts'

/** The settings after a request; those that it does not name stay. */
export const changedSettings = (
  before: InstallationSettings,
  body: ExtensionInstallRequest,
): InstallationSettings => ({
  vendor: body.vendor === undefined ? before.vendor : body.vendor,
  vendors: body.vendors ?? before.vendors ?? (body.vendor ? 'one' : vendorsOf(before)),
  catalog: body.catalog === undefined ? before.catalog : body.catalog,
  nickname: body.extensionNickname === undefined ? before.nickname : body.extensionNickname,
  catalogFilter:
    body.catalogFilter === undefined ? before.catalogFilter : (body.catalogFilter ?? []),
  schedule: body.schedule === undefined ? before.schedule : body.schedule,
  timezone: body.timezone === undefined ? before.timezone : body.timezone,
  mappings: body.mappings === undefined ? before.mappings : (body.mappings ?? []),
  useLinkedItems: body.useLinkedItems ?? before.useLinkedItems,
  allowPrice: body.allowPrice ?? before.allowPrice,
})
