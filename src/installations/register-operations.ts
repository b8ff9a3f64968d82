import { z } from 'zod'
import { limits } from '../limits.ts'
import { both, type Context, operation } from '../operation.ts'
import { ActionResponse, done, Flag, Id, OptionalText, QueryFlag } from '../shapes.ts'
import { registerExtension } from './register.ts'
import { removeExtension } from './unregister.ts'

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

const register = operation({
  name: 'Register Extension',
  summary:
    'Reads the manifest of a remote extension and offers it to the organization; again, to read it anew.',
  access: 'administrator',
  fails: ['conflict'],
  bindings: both('POST', '/api/extensions/available', {
    body: RegisterRequest,
    answer: RegisterResponse,
  }),
  handle: async ({ body }: { body: z.output<typeof RegisterRequest> }, ctx: Context) => {
    const { id, secret, isNew } = await registerExtension(ctx, body)
    const message = isNew ? 'Extension registered.' : 'Extension read again.'
    return { ...done(message, { id }), secret }
  },
})

const remove = operation({
  name: 'Remove Extension',
  summary: 'Takes a registered extension back that is not installed.',
  access: 'administrator',
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
  handle: async (wish: { id: string; allOrganizations: boolean }, ctx: Context) => {
    await removeExtension(ctx, wish)
    return done('Extension removed.', { id: wish.id })
  },
})

export const registerOperations = [register, remove]
