import { writableCatalog } from '../../catalogs/store.ts'
import { Conflict, Failure, Unavailable } from '../../errors.ts'
import type { ImportExtension } from '../../extensions/contract.ts'
import type { Installed } from '../../extensions/installation.ts'
import { parseAs } from '../../extensions/json.ts'
import { logRun } from '../../extensions/log.ts'
import {
  findReadyExtension,
  openInstallation,
  type ReadyExtension,
} from '../../extensions/run-extension.ts'
import { findAnyFile, findFile } from '../../files/store.ts'
import type { Context } from '../../operation.ts'
import { type NewTask, queueTask } from '../../tasks/store.ts'
import type { Task } from '../../tasks/task.ts'
import { builtIns } from '../built-in.ts'
import { ImportRequest } from '../schemas.ts'
import type { ImportInput } from '../settings.ts'
import { checkRequest, preparedImport } from '../start.ts'
import {
  boundOf,
  changedFields,
  checkAsInstalled,
  checkVendor,
  mergedFields,
  settingsFields,
} from './merge-fields.ts'

export const INSTALLED_KIND = 'import-extension'

/** The input of a task that runs an installed import extension. */
export interface InstalledImport {
  readonly installation: string
  readonly nickname: string
  /** Null if the extension provides them when the task runs. */
  readonly settings: ImportInput | null
  /** Fields of the request that override the settings. */
  readonly changes: Readonly<Record<string, unknown>>
}

/**
 * Queues the import of an installed extension, with its stored fields overridden by the request's.
 * A failed start is logged. `taskId` makes the call repeatable. Throws NotFound, Invalid,
 * Forbidden.
 */
export async function startInstalled(
  ctx: Context,
  id: string,
  request: Readonly<Record<string, unknown>> = {},
  taskId?: string,
): Promise<Task> {
  const ready = await findReadyExtension(ctx, { kind: 'import', id, builtIns })
  const began = ctx.clock.now()
  const withId = taskId === undefined ? {} : { id: taskId }
  const { installed, extension } = ready
  try {
    const task = await taskOf(ctx, ready, request)
    return await queueTask(ctx, { ...task, ...withId })
  } catch (error) {
    const isRefused = error instanceof Failure && !(error instanceof Unavailable)
    if (isRefused && !(error instanceof Conflict)) {
      await logRun(ctx, {
        extensionId: installed.id,
        extensionNickname: nicknameOf(installed, extension),
        action: 'run',
        message: 'Not started.',
        errorMessage: error.message,
        began,
        ...withId,
      })
    }
    throw error
  }
}

const nicknameOf = ({ settings }: Installed, { manifest }: ImportExtension): string =>
  settings.nickname ?? manifest.name

async function taskOf(
  ctx: Context,
  { extension, installed }: ReadyExtension<'import'>,
  request: Readonly<Record<string, unknown>>,
): Promise<NewTask> {
  const nickname = nicknameOf(installed, extension)
  const named = { installation: installed.id, nickname }
  const stored = settingsFields(installed.settings)
  const isImportKey = ctx.caller.keyType === 'import'
  const isBuiltIn = builtIns.some(({ manifest }) => manifest.id === extension.manifest.id)
  if (isBuiltIn) {
    const values = await openInstallation(ctx, extension, installed)
    const source = await extension.run({ ctx, installed: values, request: null })
    const fields = mergedFields({ ...source.request, ...stored }, request)
    // The file of the installation, which an administrator chose.
    const isInstalledFile = fields.fileUrl === source.request.fileUrl
    const find = isInstalledFile ? findAnyFile : findFile
    const body = parseAs(ImportRequest, fields, 'body')
    if (isInstalledFile && isImportKey) {
      checkAsInstalled(parseAs(ImportRequest, { ...source.request, ...stored }, 'body'), body)
    }
    checkVendor(installed.settings, body)
    const task = await preparedImport(ctx, body, { ...boundOf(installed.settings), find })
    const input: InstalledImport = { ...named, settings: task.input, changes: {} }
    return { ...task, kind: INSTALLED_KIND, input }
  }
  const changes = changedFields(request)
  const asked = parseAs(ImportRequest, { ...request, ...stored, ...changes }, 'body')
  checkVendor(installed.settings, asked)
  if (isImportKey) {
    const changed = parseAs(ImportRequest, { ...stored, ...changes }, 'body')
    checkAsInstalled(parseAs(ImportRequest, stored, 'body'), changed)
  }
  checkRequest(ctx, asked)
  const { owner, name } = await writableCatalog(ctx, asked.targetCatalog)
  const input: InstalledImport = {
    ...named,
    settings: null,
    changes: { ...changes, targetCatalog: name },
  }
  return {
    kind: INSTALLED_KIND,
    source: nickname,
    sourceType: 'import',
    target: `${owner}/${name}`,
    input,
    callbackUrl: asked.callbackUrl,
  }
}
