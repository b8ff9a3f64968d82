import { randomBytes } from 'node:crypto'
import { Invalid } from '../../errors.ts'
import { parseAs } from '../../extensions/json.ts'
import { findReadyExtension, openInstallation } from '../../extensions/run-extension.ts'
import { fileUrl, keepFile } from '../../files/store.ts'
import { pacedTransfer } from '../../platform/pacing.ts'
import { withCancellation } from '../../tasks/cancellation.ts'
import { checkTaskInput } from '../../tasks/check-input.ts'
import type { TaskRunContext } from '../../tasks/task.ts'
import { builtIns } from '../built-in.ts'
import { ImportRequest } from '../schemas.ts'
import type { ImportInput } from '../settings.ts'
import { preparedImport } from '../start.ts'
import { boundOf, checkVendor, remoteFields, settingsFields } from './merge-fields.ts'
import type { InstalledImport } from './start.ts'

/**
 * Asks an installed extension for the source of its rows, and stores rows that it sends. Throws
 * NotFound when it was uninstalled meanwhile, Invalid, Interrupted.
 */
export async function askSource(
  run: TaskRunContext,
  { installation, nickname, changes }: InstalledImport,
): Promise<ImportInput> {
  const { ctx } = run
  const { extension, installed } = await findReadyExtension(ctx, {
    kind: 'import',
    id: installation,
    builtIns,
  })
  run.progress({ message: `Requesting data from ${nickname}.` })
  const values = await openInstallation(ctx, extension, installed)
  const stored = settingsFields(installed.settings)
  const bound = boundOf(installed.settings)
  const source = await withCancellation(run, async (signal) => {
    const call = { ctx: { ...ctx, signal }, installed: values, request: null }
    const { request, lines } = await extension.run(call)
    const fields = { ...remoteFields(request, bound), ...stored, ...changes }
    return lines ? { ...fields, ...(await kept(run, lines)) } : fields
  })
  try {
    const body = parseAs(ImportRequest, source, 'answer')
    // The installation may have another vendor since the request that named one.
    checkVendor(installed.settings, body)
    const { input } = await preparedImport(ctx, body, bound)
    checkTaskInput(input)
    return input
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    throw new Invalid(`${nickname} sent data that cannot be imported: ${error.message}`)
  }
}

/** Stores the products that an extension sends as a file. */
async function kept(run: TaskRunContext, lines: AsyncGenerator<Uint8Array>) {
  run.progress({ message: 'Receiving products.' })
  try {
    const { id } = await keepFile(run.ctx, {
      name: `${randomBytes(4).toString('hex')}.jsonl`,
      type: 'application/jsonl',
      body: pacedTransfer(run.ctx, lines),
    })
    return { fileUrl: fileUrl(run.ctx, id), fileType: 'jsonl', mappings: [] }
  } finally {
    // Also when there was no room for the lines, so that none was read.
    await lines.return(undefined)
  }
}
