import { isAlwaysInstalled } from '../extensions/find-extension.ts'
import type { Installed } from '../extensions/installation.ts'
import { installedBuiltIn } from '../extensions/run-extension.ts'
import { findInstallation, visibleInstallations } from '../extensions/store.ts'
import { readSharedValues } from '../extensions/stored-values.ts'
import type { Context } from '../operation.ts'
import { availableExtensions, builtIns, isBuiltIn } from './available-extensions.ts'
import { toInstalled } from './responses.ts'
import type { InstalledExtension } from './schemas.ts'

/** What the organization can run: built-in extensions that need no values, then installations. */
export async function installedExtensions(ctx: Context): Promise<InstalledExtension[]> {
  const [available, installations] = await Promise.all([
    availableExtensions(ctx),
    visibleInstallations(ctx),
  ])
  const shared = await sharedByOrganization(ctx, installations)
  const known = new Map(available.map((extension) => [extension.manifest.id, extension]))
  const always = builtIns.filter(({ manifest }) => isAlwaysInstalled(manifest))
  return [...always.map(({ manifest }) => installedBuiltIn(ctx, manifest)), ...installations].map(
    (installed) =>
      toInstalled({
        installed,
        manifest: known.get(installed.extension)?.manifest,
        origin: known.get(installed.extension)?.origin,
        source: isBuiltIn(installed.extension) ? 'built-in' : 'remote',
        shared: shared.get(installed.organization) ?? {},
      }),
  )
}

async function sharedByOrganization(ctx: Context, installations: readonly Installed[]) {
  const organizations = [...new Set(installations.map(({ organization }) => organization))]
  const values = await Promise.all(
    organizations.map((one) => readSharedValues(ctx, one, ctx.signal)),
  )
  return new Map(organizations.map((organization, at) => [organization, values[at]!]))
}

/** An installation, or a built-in extension that is always installed. Throws NotFound. */
export async function installedExtension(ctx: Context, id: string): Promise<Installed> {
  const always = builtIns.find(({ manifest }) => manifest.id === id)
  return always && isAlwaysInstalled(always.manifest)
    ? installedBuiltIn(ctx, always.manifest)
    : findInstallation(ctx, id)
}
