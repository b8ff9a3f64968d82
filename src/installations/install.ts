import { openCatalog } from '../catalogs/store.ts'
import { Forbidden, Invalid, NotFound } from '../errors.ts'
import type { AnyExtension, Problem } from '../extensions/contract.ts'
import type { FieldDefinition } from '../extensions/fields.ts'
import {
  type Installation,
  type InstallationSettings,
  type Installed,
  noSettings,
  type StoredValue,
} from '../extensions/installation.ts'
import { findInstallation, installationsOf, ownInstallation } from '../extensions/store.ts'
import {
  changeShared,
  merged,
  readShared,
  storedValueOf,
  storedValues,
} from '../extensions/values.ts'
import { limits } from '../limits.ts'
import type { Context } from '../operation.ts'
import { warnOf } from '../platform/log.ts'
import { perOwner } from '../platform/per-owner.ts'
import { whileStale } from '../platform/retry.ts'
import { createTurns } from '../platform/turns.ts'
import { availableExtension } from './catalogue.ts'
import { problemsOf } from './problems.ts'
import { isScheduledAnew, nextRunOf, scheduleProblems } from './schedule.ts'
import type { ExtensionInstallRequest } from './schemas.ts'
import { forgetUnshared } from './unshared.ts'
import { valueProblems } from './value-problems.ts'

/** Throws Invalid with all problems in one text. */
export function refuse(problems: readonly Problem[]): void {
  if (problems.length === 0) return
  throw new Invalid(problems.map(({ field, message }) => `${field}: ${message}`).join('; '))
}

/** Catalogs that the caller does not see. */
export async function catalogProblems(
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
      try {
        await openCatalog(ctx, name)
        return undefined
      } catch (error) {
        if (error instanceof NotFound) return { field, message: `there is no catalog ${name}` }
        throw error
      }
    }),
  )
  return found.filter((problem) => problem !== undefined)
}

/** The settings after a request: what it does not name stays. Pure. */
export const changedSettings = (
  before: InstallationSettings,
  body: ExtensionInstallRequest,
): InstallationSettings => ({
  vendor: body.vendor === undefined ? before.vendor : body.vendor,
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

const turnsOf = perOwner(createTurns)

/** Installs an extension; answers its id. Throws NotFound, Invalid. */
export async function install(
  ctx: Context,
  id: string,
  body: ExtensionInstallRequest,
): Promise<string> {
  const extension = await availableExtension(ctx, id)
  refuse([
    ...problemsOf(extension.manifest, body, await keptIn(ctx)),
    ...scheduleProblems(extension.manifest, changedSettings(noSettings, body), ctx.clock.now()),
    ...(await catalogProblems(ctx, body)),
  ])
  refuse(await valueProblems(ctx, body, { extension }))
  // One after the other, so that two never both take the last place.
  return turnsOf(ctx.elastic).take(ctx.organization.id, () => create(ctx, extension, body))
}

async function create(
  ctx: Context,
  { manifest }: AnyExtension,
  body: ExtensionInstallRequest,
): Promise<string> {
  const { organization, signal, caller, clock } = ctx
  const installations = installationsOf(ctx, organization.id)
  const count = () => installations.count({ exists: { field: 'extension' } }, { signal })
  const full = new Invalid(`An organization has at most ${limits.installations} extensions.`)
  if ((await count()) >= limits.installations) throw full
  const id = crypto.randomUUID()
  const parts = { organization: organization.id, installation: id, fields: manifest.fields }
  const { own, shared } = storedValues(ctx, parts, body.additionalData)
  await shareValues(ctx, shared)
  const created = clock.now().toISOString()
  const first: Installation = {
    id,
    extension: manifest.id,
    kind: manifest.kind,
    level: body.extensionLevel ?? 'organization',
    username: caller.username,
    enabled: body.enabled ?? true,
    created,
    nextRun: null,
    settings: changedSettings(noSettings, body),
    values: merged({}, own),
  }
  const installation: Installation = { ...first, nextRun: nextRunOf(first, clock.now()) }
  const stored = await installations.create(id, installation, { signal, refresh: true })
  // Another instance may have taken the last place meanwhile.
  if ((await count()) <= limits.installations) return id
  await installations.remove(id, { signal, at: stored, refresh: true })
  throw full
}

const shareValues = (ctx: Context, shared: Record<string, StoredValue | null>): Promise<void> =>
  whileStale(ctx.signal, () =>
    changeShared(ctx, ctx.organization.id, {
      change: (before) => merged(before, shared),
      signal: ctx.signal,
    }),
  )

/** Tells which fields have a value already: of the installation, or shared by others. */
export async function keptIn(
  ctx: Context,
  installation?: Installation,
): Promise<(field: FieldDefinition) => boolean> {
  const shared = await readShared(ctx, ctx.organization.id, ctx.signal)
  return (field) => storedValueOf(field, installation?.values ?? {}, shared) !== undefined
}

/** Changes an installation; what the request does not name stays. Throws NotFound, Invalid, Forbidden. */
export async function updateInstallation(
  ctx: Context,
  id: string,
  body: ExtensionInstallRequest,
): Promise<void> {
  const installed = await ownOf(ctx, id)
  const extension = await availableExtension(ctx, installed.extension)
  const { manifest } = extension
  refuse([
    ...problemsOf(manifest, body, await keptIn(ctx, installed)),
    ...scheduleProblems(manifest, changedSettings(installed.settings, body), ctx.clock.now()),
    ...(await catalogProblems(ctx, body)),
  ])
  refuse(await valueProblems(ctx, body, { extension, installed }))
  const parts = { organization: ctx.organization.id, installation: id, fields: manifest.fields }
  const { own, shared } = storedValues(ctx, parts, body.additionalData)
  await shareValues(ctx, shared)
  const { signal } = ctx
  const installations = installationsOf(ctx, ctx.organization.id)
  await whileStale(signal, async () => {
    const found = await ownInstallation(ctx, id)
    const before = found.source
    const changed: Installation = {
      ...before,
      level: body.extensionLevel ?? before.level,
      enabled: body.enabled ?? before.enabled,
      settings: changedSettings(before.settings, body),
      values: merged(before.values, own),
    }
    const next = isScheduledAnew(before, changed)
      ? { ...changed, nextRun: nextRunOf(changed, ctx.clock.now()) }
      : changed
    await installations.replace(id, next, found, { signal, refresh: true })
  })
}

/** Removes an installation; what runs ends as it can. Throws NotFound, Forbidden. */
export async function uninstall(ctx: Context, id: string): Promise<void> {
  await ownOf(ctx, id)
  const installations = installationsOf(ctx, ctx.organization.id)
  const isGone = await installations.remove(id, { signal: ctx.signal, refresh: true })
  if (!isGone) throw new NotFound('Extension')
  // It is uninstalled, whatever becomes of them.
  await forgetUnshared(ctx).catch((error) => warnOf(ctx.log, 'forget shared values', error))
}

/** A parent's installation is seen, but changed only there. */
async function ownOf(ctx: Context, id: string): Promise<Installed> {
  const found = await findInstallation(ctx, id)
  if (found.organization === ctx.organization.id) return found
  throw new Forbidden(`The extension was installed by ${found.organization} and is changed there.`)
}
