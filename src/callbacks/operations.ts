import { z } from 'zod'
import { bothRevisions, operation } from '../operation.ts'
import { ActionResponse, done, Id, Paging } from '../shapes.ts'
import { CallbackList, CallbackSecretAnswer } from './schemas.ts'
import { rotateSecret } from './signing-secrets.ts'
import { listDeliveries, redeliver } from './store.ts'

export const callbackOperations = [
  operation({
    name: 'Get Callbacks',
    summary: 'Lists the callbacks of tasks with every delivery attempt, newest first.',
    access: 'editor',
    audit: { target: 'callback' },
    bindings: bothRevisions('GET', '/api/callbacks', {
      query: Paging,
      answer: CallbackList,
    }),
    handle: async (paging, ctx) => ({ items: await listDeliveries(ctx, paging) }),
  }),
  operation({
    name: 'Redeliver Callback',
    summary: 'Delivers a callback again with the same id and a new schedule of attempts.',
    cost: 4,
    access: 'editor',
    audit: { target: 'callback', id: ({ id }) => id },
    bindings: bothRevisions('POST', '/api/callbacks/:id/redeliver', {
      param: z.object({ id: Id.describe('Id of the callback, which is its `webhook-id`.') }),
      answer: ActionResponse,
    }),
    handle: async ({ id }, ctx) => {
      await redeliver(ctx, id)
      return done('The callback is queued.', { id })
    },
  }),
  operation({
    name: 'Rotate Callback Secret',
    summary:
      'Creates a new secret for signing callbacks and returns it once. The previous secret keeps signing for 24 hours.',
    access: 'administrator',
    audit: { target: 'callbackSecret', secret: () => true },
    bindings: bothRevisions('POST', '/api/callbacks/secret', { answer: CallbackSecretAnswer }),
    handle: async (_input, ctx) => ({ secret: await rotateSecret(ctx) }),
  }),
]
