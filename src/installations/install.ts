import type { AnyExtension } from '../extensions/contract.ts'
import { receiverOf } from '../extensions/destinations.ts'
import { type Installation, noSettings } from '../extensions/installation.ts'
import { installationsOf } from '../extensions/store.ts'
import { mergedValues, sharedValuesFor, storedValues } from '../extensions/stored-values.ts'
import { limits } from '../limits.ts'
import type { Context } from '../operation.ts'
import { checkLimit } from '../platform/limited-creation.ts'
import { availableExtension } from './available-extensions.ts'
import { changedSettings } from './changed-settings.ts'
import { bytesLeftBeside, checkInstallationSize, otherInstallations } from './installation-size.ts'
import { nextRunOf } from './next-run.ts'
import { refuse, requestProblems } from './request-problems.ts'
import type { ExtensionInstallRequest } from './schemas.ts'
import { serializedByOrganization, shareValues } from './shared-values.ts'

/** Installs an extension and returns its id. Throws NotFound, Invalid. */
export async function install(
  ctx: Context,
  id: string,
  body: ExtensionInstallRequest,
): Promise<string> {
  const extension = await availableExtension(ctx, id)
  return serializedByOrganization(ctx, ctx.organization.id, async () => {
    refuse(await requestProblems(ctx, body, { extension }))
    return create(ctx, extension, body)
  })
}

async function create(
  ctx: Context,
  extension: AnyExtension,
  body: ExtensionInstallRequest,
): Promise<string> {
  const { organization, signal, caller, clock } = ctx
  const { manifest } = extension
  const id = crypto.randomUUID()
  const known = await sharedValuesFor(ctx, organization.id, { fields: manifest.fields, signal })
  const parts = { organization: organization.id, installation: id, known, ...receiverOf(extension) }
  const { own, shared } = storedValues(ctx, parts, body.additionalData)
  const first: Installation = {
    id,
    extension: manifest.id,
    kind: manifest.kind,
    level: body.extensionLevel ?? 'organization',
    username: caller.username,
    enabled: body.enabled ?? true,
    created: clock.now().toISOString(),
    nextRun: null,
    settings: changedSettings(noSettings, body),
    values: mergedValues({}, own),
  }
  const installation: Installation = { ...first, nextRun: nextRunOf(first, clock.now()) }
  const installations = installationsOf(ctx, organization.id)
  const remove = () => installations.remove(id, { refresh: true })
  // The installation may exist although the answer was lost, and no caller knows its id.
  const takeBack = (error: unknown): never => {
    ctx.background.run('remove an installation', remove)
    throw error
  }
  const others = await otherInstallations(ctx, id)
  checkInstallationSize(installation, bytesLeftBeside(others))
  checkLimit(
    others.length,
    limits.installations,
    `An organization has at most ${limits.installations} installed extensions, including those of single users.`,
  )
  await installations.create(id, installation, { signal, refresh: true }).catch(takeBack)
  // Other installations use the shared values, so they change only after this one exists.
  await shareValues(ctx, shared).catch(async (error) => {
    await remove().catch(takeBack)
    throw error
  })
  ctx.noteChange?.({ after: { ...installation, sharedData: shared } })
  return id
}
