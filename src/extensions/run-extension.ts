import { Failure, Invalid } from '../errors.ts'
import type { Context } from '../operation.ts'
import type {
  AnyExtension,
  ExtensionKind,
  ExtensionOf,
  Manifest,
  OpenInstallation,
} from './contract.ts'
import { receiverOf } from './destinations.ts'
import { findExtensionOfKind, isAlwaysInstalled } from './find-extension.ts'
import { type Installed, noSettings, vendorsOf } from './installation.ts'
import { logRun, type RunCounts } from './log.ts'
import { openValues } from './open-values.ts'
import { failuresAsAnswers } from './remote-call.ts'
import { findInstallation } from './store.ts'
import type { SharedValuesReader } from './stored-values.ts'

/** An installation, and the built-in extensions of its kind. */
export interface InstallationLookup<Kind extends ExtensionKind> {
  readonly kind: Kind
  /** The id of an installation, or of a built-in extension that is always installed. */
  readonly id: string
  readonly builtIns: readonly ExtensionOf<Kind>[]
}

/** An installation and the extension that implements it. */
export interface ReadyExtension<Kind extends ExtensionKind> {
  readonly extension: ExtensionOf<Kind>
  readonly installed: Installed
  /** Set when several installations are called at once; reads the shared values when absent. */
  readonly readShared?: SharedValuesReader | undefined
}

/**
 * Finds an installation that the caller may use. Throws NotFound, and Invalid if it is disabled.
 */
export async function findReadyExtension<Kind extends ExtensionKind>(
  ctx: Context,
  { kind, id, builtIns }: InstallationLookup<Kind>,
): Promise<ReadyExtension<Kind>> {
  const builtIn = builtIns.find(({ manifest }) => manifest.id === id)
  if (builtIn && isAlwaysInstalled(builtIn.manifest)) {
    return { extension: builtIn, installed: installedBuiltIn(ctx, builtIn.manifest) }
  }
  const installed = await findInstallation(ctx, id, kind)
  if (!installed.enabled) throw new Invalid('The extension is disabled. Enable it first.')
  const extension = await findExtensionOfKind(ctx, {
    kind,
    id: installed.extension,
    home: installed.organization,
    builtIns,
  })
  return { extension, installed }
}

/** The implicit installation of a built-in extension. */
export const installedBuiltIn = ({ organization }: Context, manifest: Manifest): Installed => ({
  id: manifest.id,
  organization: organization.id,
  extension: manifest.id,
  kind: manifest.kind,
  level: 'organization',
  username: 'aisle',
  enabled: true,
  created: '1970-01-01T00:00:00.000Z',
  nextRun: null,
  settings: noSettings,
  values: {},
})

/** An installation with its values in clear, as passed to the functions of its extension. */
export async function openInstallation(
  ctx: Context,
  extension: AnyExtension,
  installed: Installed,
  readShared?: SharedValuesReader,
): Promise<OpenInstallation> {
  const { id, organization, settings } = installed
  return {
    id,
    organization,
    vendor: settings.vendor,
    vendors: vendorsOf(settings),
    catalog: settings.catalog,
    name: settings.nickname ?? extension.manifest.name,
    fields: await openValues(ctx, installed, {
      ...receiverOf(extension),
      signal: ctx.signal,
      readShared,
    }),
  }
}

/** The summary of a result for the log. `error` is a failure reported by the extension. */
export interface RunSummary {
  readonly message: string
  readonly error?: string | null
  readonly counts?: RunCounts
}

/**
 * Calls an installed extension and logs the run, also one that throws. `failed` turns RemoteFailed
 * into an answer.
 */
export async function loggedRun<Kind extends ExtensionKind, Result>(
  ctx: Context,
  { extension, installed, readShared, action }: ReadyExtension<Kind> & { readonly action: string },
  {
    work,
    failed,
    summarise,
  }: {
    work: (extension: ExtensionOf<Kind>, installed: OpenInstallation) => Promise<Result>
    failed?: (error: string) => Result
    summarise: (result: Result) => RunSummary
  },
): Promise<Result> {
  const began = ctx.clock.now()
  const { manifest } = extension
  const log = ({ message, error = null, counts = {} }: RunSummary) =>
    logRun(ctx, {
      extensionId: installed.id,
      extensionNickname: installed.settings.nickname ?? manifest.name,
      action,
      message,
      errorMessage: error,
      began,
      counts,
    })
  try {
    const values = await openInstallation(ctx, extension, installed, readShared)
    const call = () => work(extension, values)
    const result = await (failed ? failuresAsAnswers(call, failed) : call())
    await log(summarise(result))
    return result
  } catch (error) {
    const text = error instanceof Failure ? error.message : 'An internal error occurred.'
    await log({ message: 'Failed.', error: text })
    throw error
  }
}
