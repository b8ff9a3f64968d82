import { z } from 'zod'
import { RunLog, readRuns } from '../extensions/log.ts'
import { limits } from '../limits.ts'
import { both, operation } from '../operation.ts'
import { ActionResponse, done, Flag, Id, OptionalText, Paging, QueryFlag } from '../shapes.ts'
import { AUDITED_INSTALLATION, AUDITED_REGISTRATION } from './audited-parts.ts'
import { availableOperations } from './available-operations.ts'
import { installedExtension, installedExtensions } from './listing.ts'
import { registerExtension } from './register.ts'
import { ExtensionUpdateRequest, InstalledExtensions } from './schemas.ts'
import { uninstall } from './uninstall.ts'
import { removeExtension } from './unregister.ts'
import { updateInstallation } from './update.ts'

const InstallationKey = z.object({
  id: Id.describe('The installation as Get Installed Extensions lists it.'),
})

const RunLogs = z
  .object({ items: z.array(RunLog).describe('Newest first.') })
  .describe('A page of runs.')

const RegisterRequest = z
  .object({
    manifestUrl: z
      .string()
      .trim()
      .min(1)
      .max(limits.valueLength)
      .describe('Address of the manifest, which is read now and each time that it is registered.'),
    secret: OptionalText(limits.valueLength).describe(
      'Signs the calls of the extension; made when absent, and when registered again kept.',
    ),
    allOrganizations: Flag(false).describe(
      'true: offered to all organizations, by an operator; false when absent.',
    ),
  })
  .meta({ id: 'ExtensionRegisterRequest' })

/** ActionResponse with the generated secret, which is shown only this once. */
const RegisterResponse = ActionResponse.extend({
  secret: z
    .string()
    .nullable()
    .describe('The secret that was made, shown this once; null: the one that was given or known.'),
}).meta({ id: 'ExtensionRegisterResponse', description: 'The extension is offered.' })

export const installationOperations = [
  ...availableOperations,
  operation({
    name: 'Get Installed Extensions',
    summary:
      'Lists what the organization can run: its own extensions, its parent’s, and built-in ones.',
    access: 'viewer',
    audit: { target: 'installation' },
    bindings: both('GET', '/api/extensions/installed', { answer: InstalledExtensions }),
    handle: (_input, ctx) => installedExtensions(ctx),
  }),
  operation({
    name: 'Update Installed Extension',
    summary: 'Changes an installed extension; what the request does not name stays.',
    access: 'administrator',
    audit: { ...AUDITED_INSTALLATION, id: ({ id }) => id },
    bindings: both('PUT', '/api/extensions/installed/:id', {
      param: InstallationKey,
      body: ExtensionUpdateRequest,
      answer: ActionResponse,
    }),
    handle: async ({ id, body }, ctx) => {
      const former = await updateInstallation(ctx, id, body)
      const left =
        former === null
          ? ''
          : ` Offers of ${former} stay in the catalog until a full file of that vendor removes them.`
      return done(`Extension updated.${left}`, { id })
    },
  }),
  operation({
    name: 'Uninstall Extension',
    summary:
      'Removes an installed extension, also another user’s own, and its values; what it imported stays.',
    access: 'administrator',
    audit: { ...AUDITED_INSTALLATION, id: ({ id }) => id },
    bindings: both('DELETE', '/api/extensions/installed/:id', {
      param: InstallationKey,
      answer: ActionResponse,
    }),
    handle: async ({ id }, ctx) => {
      await uninstall(ctx, id)
      return done('Extension removed.', { id })
    },
  }),
  operation({
    name: 'Get Extension Logs',
    summary: 'The runs of an installed extension, newest first, a page at a time.',
    access: 'viewer',
    audit: { target: 'installation', id: ({ id }) => id },
    bindings: both('GET', '/api/extensions/installed/:id/logs', {
      param: InstallationKey,
      query: Paging,
      answer: RunLogs,
    }),
    handle: async ({ id, ...paging }, ctx) => {
      await installedExtension(ctx, id)
      return { items: await readRuns(ctx, id, paging) }
    },
  }),
  operation({
    name: 'Register Extension',
    summary:
      'Reads the manifest of a remote extension and offers it to the organization; again, to read it anew.',
    access: 'administrator',
    audit: { ...AUDITED_REGISTRATION, secret: ({ secret }) => secret !== null },
    fails: ['conflict'],
    bindings: both('POST', '/api/extensions/available', {
      body: RegisterRequest,
      answer: RegisterResponse,
    }),
    handle: async ({ body }, ctx) => {
      const { id, secret, isNew } = await registerExtension(ctx, body)
      const message = isNew ? 'Extension registered.' : 'Extension read again.'
      return { ...done(message, { id }), secret }
    },
  }),
  operation({
    name: 'Remove Extension',
    summary: 'Takes a registered extension back that is not installed.',
    access: 'administrator',
    audit: { ...AUDITED_REGISTRATION, id: ({ id }) => id },
    fails: ['conflict'],
    bindings: both('DELETE', '/api/extensions/available/:id', {
      param: z.object({ id: Id.describe('The extension as Get Available Extensions lists it.') }),
      query: z.object({
        allOrganizations: QueryFlag(false).describe(
          'true: the one that an operator offers to all organizations; false when absent.',
        ),
      }),
      answer: ActionResponse,
    }),
    handle: async (wish, ctx) => {
      await removeExtension(ctx, wish)
      return done('Extension removed.', { id: wish.id })
    },
  }),
]
