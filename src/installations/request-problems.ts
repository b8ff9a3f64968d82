import { openCatalog } from '../catalogs/store.ts'
import { Invalid, ignoring, NotFound } from '../errors.ts'
import type { AnyExtension, Problem } from '../extensions/contract.ts'
import type { FieldDefinition } from '../extensions/fields.ts'
import { type Installed, noSettings } from '../extensions/installation.ts'
import { readSharedValues, sharedValuesFor, storedValueOf } from '../extensions/stored-values.ts'
import type { Context } from '../operation.ts'
import { changedSettings } from './changed-settings.ts'
import { destinationProblems } from './destination-problems.ts'
import { manifestProblems } from './manifest-problems.ts'
import { scheduleProblems } from './next-run.ts'
import type { ExtensionInstallRequest } from './schemas.ts'
import { valueProblems } from './value-problems.ts'

/** The subject of a request to install or change. */
export interface RequestedInstallation {
  readonly extension: AnyExtension
  /** The installation to change; absent when a new one is installed. */
  readonly installed?: Installed
}

/** All reasons to refuse a request to install or change an installation. */
export async function requestProblems(
  ctx: Context,
  body: ExtensionInstallRequest,
  { extension, installed }: RequestedInstallation,
): Promise<Problem[]> {
  const { manifest } = extension
  const settings = changedSettings(installed?.settings ?? noSettings, body)
  // An update is checked only for the fields that it names, since the manifest may have become
  // stricter.
  const isKept = installed ? () => true : await sharedIn(ctx, extension)
  const isTimed = !installed || body.schedule !== undefined || body.timezone !== undefined
  const problems = [
    ...manifestProblems(manifest, body, isKept),
    ...(installed ? await problemsOfDestinations(ctx, body, { extension, installed }) : []),
    ...(isTimed ? scheduleProblems(manifest, settings, ctx.clock.now()) : []),
    ...(await catalogProblems(ctx, body)),
  ]
  if (problems.length > 0) return problems
  return valueProblems(ctx, body, { extension, installed })
}

/** Throws Invalid with all problems in one message. */
export function refuse(problems: readonly Problem[]): void {
  if (problems.length > 0) throw new Invalid(problemsText(problems))
}

/** All problems in one line. */
export const problemsText = (problems: readonly Problem[]): string =>
  problems.map(({ field, message }) => (field ? `${field}: ${message}` : message)).join('; ')

async function problemsOfDestinations(
  ctx: Context,
  { additionalData: given }: ExtensionInstallRequest,
  { extension, installed }: Required<RequestedInstallation>,
): Promise<Problem[]> {
  const { fields } = extension.manifest
  const shared = await sharedValuesFor(ctx, installed.organization, { fields, signal: ctx.signal })
  return destinationProblems(extension, { before: installed.values, shared, given })
}

/** Returns whether a field already has a value shared by the organization. */
async function sharedIn(
  ctx: Context,
  { origin }: AnyExtension,
): Promise<(field: FieldDefinition) => boolean> {
  const shared = await readSharedValues(ctx, ctx.organization.id, ctx.signal)
  return (field) => storedValueOf(field, {}, shared, origin) !== undefined
}

/** Problems of catalogs that the caller does not see. */
async function catalogProblems(
  ctx: Context,
  { catalog, catalogFilter }: Pick<ExtensionInstallRequest, 'catalog' | 'catalogFilter'>,
): Promise<Problem[]> {
  const named: [string, string][] = (catalogFilter ?? []).map((name, at) => [
    `catalogFilter[${at}]`,
    name,
  ])
  if (catalog) named.push(['catalog', catalog])
  const found = await Promise.all(
    named.map(async ([field, name]) => {
      const scope = await openCatalog(ctx, name).catch(ignoring(NotFound))
      return scope ? [] : [{ field, message: `catalog ${name} not found` }]
    }),
  )
  return found.flat()
}
