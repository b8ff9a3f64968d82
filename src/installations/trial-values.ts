import type { AnyExtension, OpenInstallation, Vendors } from '../extensions/contract.ts'
import { originOf, receiverOf } from '../extensions/destinations.ts'
import { type Installed, isShared } from '../extensions/installation.ts'
import { openValues } from '../extensions/open-values.ts'
import type { Context } from '../operation.ts'

/** The id of an extension that is validated before it is installed. */
const TRIAL = 'trial'

export interface Trial {
  readonly extension: AnyExtension
  readonly given: Readonly<Record<string, string | null>>
  readonly vendor?: string | null
  readonly vendors?: Vendors
  readonly catalog?: string | null
  /** The installation whose values are changed. */
  readonly installed?: Pick<Installed, 'id' | 'organization' | 'values'> | undefined
}

const mayInstall = ({ caller }: Context): boolean =>
  caller.keyType === 'full' && ['administrator', 'operator'].includes(caller.role)

const hasAddress = (given: Trial['given']): boolean =>
  Object.values(given).some((text) => text !== null && originOf(text) !== undefined)

/**
 * An installation with the given values on top of the stored ones, the shared ones and the
 * defaults.
 */
export async function trialOf(
  ctx: Context,
  { extension, given, installed, ...settings }: Trial,
): Promise<OpenInstallation> {
  const { organization, signal } = ctx
  const { manifest } = extension
  const before = installed ?? { id: TRIAL, organization: organization.id, values: {} }
  // A caller who may not install must not send shared values to an address of their choice.
  const isWithheld = !mayInstall(ctx) && hasAddress(given)
  // New values are not opened: they may replace ones that cannot be.
  const fields = manifest.fields.filter(
    (one) => !Object.hasOwn(given, one.field) && !(isWithheld && one.protected && isShared(one)),
  )
  const known = await openValues(ctx, before, { ...receiverOf(extension), fields, signal })
  // A value that is cleared is not stored, so its default applies.
  const cleared = manifest.fields.flatMap(({ field, defaultValue }) =>
    given[field] === null && defaultValue !== null ? [[field, defaultValue] as const] : [],
  )
  const all = { ...known, ...given, ...Object.fromEntries(cleared) }
  const values = Object.entries(all).filter(([, text]) => text !== null)
  return {
    id: before.id,
    organization: organization.id,
    vendor: settings.vendor ?? null,
    vendors: settings.vendors ?? 'one',
    catalog: settings.catalog ?? null,
    name: manifest.name,
    fields: Object.fromEntries(values) as Record<string, string>,
  }
}
