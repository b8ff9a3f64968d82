import { z } from 'zod'
import { RunLog, readRuns } from '../extensions/log.ts'
import { limits } from '../limits.ts'
import { bothRevisions, operation } from '../operation.ts'
import {
  ActionResponse,
  done,
  Flag,
  Id,
  NullableText,
  OptionalText,
  Paging,
  QueryFlag,
  RequiredText,
} from '../shapes.ts'
import { AUDITED_INSTALLATION, AUDITED_REGISTRATION } from './audited-parts.ts'
import { availableOperations } from './available-operations.ts'
import { installedExtension, installedExtensions } from './listing.ts'
import { registerExtension } from './register.ts'
import { ExtensionUpdateRequest, InstalledExtensions } from './schemas.ts'
import { uninstall } from './uninstall.ts'
import { removeExtension } from './unregister.ts'
import { updateInstallation } from './update.ts'

const InstallationKey = z.object({
  id: Id.describe('Id of the installation, as listed by Get Installed Extensions.'),
})

const RunLogs = z
  .object({ items: z.array(RunLog).describe('Runs, newest first.') })
  .describe('A page of runs.')

const RegisterRequest = z
  .object({
    manifestUrl: RequiredText(limits.valueLength).describe(
      'URL of the manifest. It is read now and again on each registration.',
    ),
    secret: OptionalText(limits.valueLength).describe(
      'Secret that signs calls to the extension. Defaults to the existing secret if the extension is already registered, otherwise to a new one.',
    ),
    allOrganizations: Flag(false).describe(
      'Whether to offer the extension to all organizations. Only for operators. Defaults to `false`.',
    ),
  })
  .meta({ id: 'ExtensionRegisterRequest' })

/** ActionResponse with the generated secret, which is shown only this once. */
const RegisterResponse = ActionResponse.extend({
  secret: NullableText.describe(
    'The generated secret, which is shown only once. `null` if the secret was given in the request or already known.',
  ),
}).meta({ id: 'ExtensionRegisterResponse', description: 'The registered extension.' })

export const installationOperations = [
  ...availableOperations,
  operation({
    name: 'Get Installed Extensions',
    summary:
      'Lists the extensions that the organization can run: its own, those of its parent, and built-in ones.',
    cost: 4,
    access: 'viewer',
    audit: { target: 'installation' },
    bindings: bothRevisions('GET', '/api/extensions/installed', { answer: InstalledExtensions }),
    handle: (_input, ctx) => installedExtensions(ctx),
  }),
  operation({
    name: 'Update Installed Extension',
    summary: 'Updates an installed extension. Omitted fields are left unchanged.',
    access: 'administrator',
    audit: { ...AUDITED_INSTALLATION, id: ({ id }) => id },
    bindings: bothRevisions('PUT', '/api/extensions/installed/:id', {
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
      'Uninstalls an extension, including one that another user installed for themselves, and deletes its values. Imported data is kept.',
    access: 'administrator',
    audit: { ...AUDITED_INSTALLATION, id: ({ id }) => id },
    bindings: bothRevisions('DELETE', '/api/extensions/installed/:id', {
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
    summary: 'Lists the runs of an installed extension, newest first, in pages.',
    cost: 4,
    access: 'viewer',
    audit: { target: 'installation', id: ({ id }) => id },
    bindings: bothRevisions('GET', '/api/extensions/installed/:id/logs', {
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
      'Reads the manifest of a remote extension and makes the extension available to the organization. Repeat the call to read the manifest again.',
    access: 'administrator',
    audit: { ...AUDITED_REGISTRATION, secret: ({ secret }) => secret !== null },
    fails: ['conflict'],
    bindings: bothRevisions('POST', '/api/extensions/available', {
      body: RegisterRequest,
      answer: RegisterResponse,
    }),
    handle: async ({ body }, ctx) => {
      const { id, secret, isNew } = await registerExtension(ctx, body)
      const message = isNew ? 'Extension registered.' : 'Extension updated.'
      return { ...done(message, { id }), secret }
    },
  }),
  operation({
    name: 'Remove Extension',
    summary: 'Withdraws a registered extension that is not installed anywhere.',
    access: 'administrator',
    audit: { ...AUDITED_REGISTRATION, id: ({ id }) => id },
    fails: ['conflict'],
    bindings: bothRevisions('DELETE', '/api/extensions/available/:id', {
      param: z.object({
        id: Id.describe('Id of the extension, as listed by Get Available Extensions.'),
      }),
      query: z.object({
        allOrganizations: QueryFlag(false).describe(
          'Whether to remove the extension that an operator offers to all organizations. Defaults to `false`.',
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
