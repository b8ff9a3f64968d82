import { writableCatalog } from '../../catalogs/store.ts'
import { Conflict, Failure, Invalid, Unavailable } from '../../errors.ts'
import type { ImportExtension } from '../../extensions/contract.ts'
import type { Installed } from '../../extensions/installation.ts'
import { parseAs } from '../../extensions/json.ts'
import { logRun } from '../../extensions/log.ts'
import { findReadyExtension, openInstallation } from '../../extensions/run-extension.ts'
import { findAnyFile, findFile } from '../../files/store.ts'
import type { Context } from '../../operation.ts'
import { type NewTask, queueTask } from '../../tasks/store.ts'
import type { Task } from '../../tasks/task.ts'
import { builtIns } from '../built-in.ts'
import { ImportRequest } from '../schemas.ts'
import { preparedImport, type QueuedImport } from '../start.ts'
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
  /** Null: where the rows are is asked of the extension when the task runs. */
  readonly settings: QueuedImport | null
  /** What the request changes of that. */
  readonly changes: Readonly<Record<string, unknown>>
}

export interface Start {
  /** Of a start that may be repeated. */
  readonly taskId?: string
}

/**
 * Queues the import of an installed extension, with its stored fields and what the request says
 * over them. A start that fails is logged. Throws NotFound, Invalid, Forbidden.
 */
export async function startInstalled(
  ctx: Context,
  id: string,
  request: Readonly<Record<string, unknown>> = {},
  { taskId }: Start = {},
): Promise<Task> {
  const ready = await findReadyExtension(ctx, { kind: 'import', id, builtIns })
  const began = ctx.clock.now()
  const { installed, extension } = ready
  try {
    const task = await taskOf(ctx, { ...ready, request })
    return await queueTask(ctx, { ...task, ...(taskId === undefined ? {} : { id: taskId }) })
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
        timeTaken: ctx.clock.now().getTime() - began.getTime(),
        counts: {},
        ...(taskId === undefined ? {} : { id: taskId }),
      })
    }
    throw error
  }
}

const nicknameOf = ({ settings }: Installed, { manifest }: ImportExtension): string =>
  settings.nickname ?? manifest.name

interface InstalledTaskOptions {
  readonly extension: ImportExtension
  readonly installed: Installed
  readonly request: Readonly<Record<string, unknown>>
}

async function taskOf(
  ctx: Context,
  { extension, installed, request }: InstalledTaskOptions,
): Promise<NewTask> {
  const nickname = nicknameOf(installed, extension)
  const stored = settingsFields(installed.settings)
  const isImportKey = ctx.caller.keyType === 'import'
  const isBuiltIn = builtIns.some(({ manifest }) => manifest.id === extension.manifest.id)
  if (isBuiltIn) {
    const values = await openInstallation(ctx, extension, installed)
    const source = await extension.run({ ctx, installed: values, request: null })
    const fields = mergedFields({ ...source.request, ...stored }, request)
    // An administrator chose the file of the installation, whoever runs it.
    const isTheirs = fields.fileUrl === source.request.fileUrl
    const find = isTheirs ? findAnyFile : findFile
    const body = parseAs(ImportRequest, fields, 'body')
    if (isTheirs && isImportKey) {
      checkAsInstalled(parseAs(ImportRequest, { ...source.request, ...stored }, 'body'), body)
    }
    checkVendor(installed.settings, body)
    const task = await preparedImport(ctx, body, { ...boundOf(installed.settings), find })
    const input: InstalledImport = {
      installation: installed.id,
      nickname,
      settings: task.input,
      changes: {},
    }
    return { ...task, kind: INSTALLED_KIND, input }
  }
  const changes = changedFields(request)
  const asked = parseAs(ImportRequest, { ...request, ...stored, ...changes }, 'body')
  checkVendor(installed.settings, asked)
  if (isImportKey) {
    const changed = parseAs(ImportRequest, { ...stored, ...changes }, 'body')
    checkAsInstalled(parseAs(ImportRequest, stored, 'body'), changed)
  }
  if (asked.organization !== null && asked.organization !== ctx.organization.id) {
    throw new Invalid('organization: differs from the organization of the request')
  }
  if (asked.callbackUrl !== null) ctx.outbound.check(asked.callbackUrl, 'callbackUrl')
  const { owner, name } = await writableCatalog(ctx, asked.targetCatalog)
  const input: InstalledImport = {
    installation: installed.id,
    nickname,
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
