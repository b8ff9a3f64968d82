import { z } from 'zod'
import { both, operation } from '../operation.ts'
import { ActionResponse, done, Id, Paging } from '../shapes.ts'
import { CallbackList, CallbackSecretAnswer } from './schemas.ts'
import { rotateSecret } from './signing-secrets.ts'
import { listDeliveries, redeliver } from './store.ts'

export const callbackOperations = [
  operation({
    name: 'Get Callbacks',
    summary: 'Lists the callbacks of tasks with every attempt to deliver them, newest first.',
    access: 'editor',
    audit: { target: 'callback' },
    bindings: both('GET', '/api/callbacks', {
      query: Paging,
      answer: CallbackList,
    }),
    handle: async (paging, ctx) => ({ items: await listDeliveries(ctx, paging) }),
  }),
  operation({
    name: 'Redeliver Callback',
    summary: 'Delivers a callback again under the same id, with a whole schedule of attempts.',
    access: 'editor',
    audit: { target: 'callback', id: ({ id }) => id },
    bindings: both('POST', '/api/callbacks/:id/redeliver', {
      param: z.object({ id: Id.describe('Id of the callback, its `webhook-id`.') }),
      answer: ActionResponse,
    }),
    handle: async ({ id }, ctx) => {
      await redeliver(ctx, id)
      return done('The callback is due.', { id })
    },
  }),
  operation({
    name: 'Rotate Callback Secret',
    summary:
      'Makes a new secret that signs callbacks, shown once; the one before signs for 24 hours.',
    access: 'administrator',
    audit: { target: 'callbackSecret', secret: () => true },
    bindings: both('POST', '/api/callbacks/secret', { answer: CallbackSecretAnswer }),
    handle: async (_input, ctx) => ({ secret: await rotateSecret(ctx) }),
  }),
]
