import { z } from 'zod'
import { readRuns } from '../extensions/log.ts'
import { both, type Context, operation } from '../operation.ts'
import { ActionResponse, done, Id, Paging } from '../shapes.ts'
import {
  getAvailableExtensions,
  getExtension,
  getImportSample,
  getInstallExtensionOptions,
  installExtension,
  validateExtension,
} from './available-operations.ts'
import { installedExtension, installedExtensions } from './listing.ts'
import { ExtensionLogs } from './log-schemas.ts'
import { registerOperations } from './register-operations.ts'
import { ExtensionUpdateRequest, InstalledExtensions } from './schemas.ts'
import { uninstall } from './uninstall.ts'
import { updateInstallation } from './update.ts'

const getInstalledExtensions = operation({
  name: 'Get Installed Extensions',
  summary:
    'Lists what the organization can run: its own extensions, its parent’s, and built-in ones.',
  access: 'viewer',
  bindings: both('GET', '/api/extensions/installed', { answer: InstalledExtensions }),
  handle: (_input: object, ctx) => installedExtensions(ctx),
})

const InstallationKey = z.object({
  id: Id.describe('The installation as Get Installed Extensions lists it.'),
})

const updateInstalledExtension = operation({
  name: 'Update Installed Extension',
  summary: 'Changes an installed extension; what the request does not name stays.',
  access: 'administrator',
  bindings: both('PUT', '/api/extensions/installed/:id', {
    param: InstallationKey,
    body: ExtensionUpdateRequest,
    answer: ActionResponse,
  }),
  handle: async ({ id, body }, ctx) => {
    const { former } = await updateInstallation(ctx, id, body)
    const left =
      former === null
        ? ''
        : ` Offers of ${former} stay in the catalog until a full file of that vendor removes them.`
    return done(`Extension updated.${left}`, { id })
  },
})

const uninstallExtension = operation({
  name: 'Uninstall Extension',
  summary:
    'Removes an installed extension, also another user’s own, and its values; what it imported stays.',
  access: 'administrator',
  bindings: both('DELETE', '/api/extensions/installed/:id', {
    param: InstallationKey,
    answer: ActionResponse,
  }),
  handle: async ({ id }, ctx) => {
    await uninstall(ctx, id)
    return done('Extension removed.', { id })
  },
})

const getExtensionLogs = operation({
  name: 'Get Extension Logs',
  summary: 'The runs of an installed extension, newest first, a page at a time.',
  access: 'viewer',
  bindings: both('GET', '/api/extensions/installed/:id/logs', {
    param: InstallationKey,
    query: Paging,
    answer: ExtensionLogs,
  }),
  handle: async ({ id, ...paging }: { id: string } & z.output<typeof Paging>, ctx: Context) => {
    await installedExtension(ctx, id)
    return { items: await readRuns(ctx, { extensionId: id, ...paging }) }
  },
})

export const installationOperations = [
  getAvailableExtensions,
  getExtension,
  validateExtension,
  getImportSample,
  getInstallExtensionOptions,
  installExtension,
  getInstalledExtensions,
  updateInstalledExtension,
  uninstallExtension,
  getExtensionLogs,
  ...registerOperations,
]
