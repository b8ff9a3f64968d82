import { z } from 'zod'
import { both, operation } from '../operation.ts'
import { ActionResponse, done, Id, Paging } from '../shapes.ts'
import { CallbackList, CallbackSecretAnswer } from './schemas.ts'
import { rotateSecret } from './signing-secrets.ts'
import { type ListedDelivery, listDeliveries, redeliver } from './store.ts'

const getCallbacks = operation({
  name: 'Get Callbacks',
  summary: 'Lists the callbacks of tasks with every attempt to deliver them, newest first.',
  access: 'editor',
  bindings: both('GET', '/api/callbacks', {
    query: Paging,
    answer: CallbackList,
    encode: (found: readonly ListedDelivery[]) => ({
      items: found.map(({ id, taskId, url, status, attempts, nextAttempt }) => ({
        id,
        taskId,
        url,
        status,
        attempts: attempts.map(({ time, status, error }) => ({ time, status, error })),
        nextAttempt,
      })),
    }),
  }),
  handle: (paging: z.output<typeof Paging>, ctx) => listDeliveries(ctx, paging),
})

const CallbackKey = z.object({ id: Id.describe('Id of the callback, its `webhook-id`.') })
const redeliverCallback = operation({
  name: 'Redeliver Callback',
  summary: 'Delivers a callback again under the same id, with a whole schedule of attempts.',
  access: 'editor',
  bindings: both('POST', '/api/callbacks/:id/redeliver', {
    param: CallbackKey,
    answer: ActionResponse,
  }),
  handle: async ({ id }: z.output<typeof CallbackKey>, ctx) => {
    await redeliver(ctx, id)
    return done('The callback is due.', { id })
  },
})

const rotateCallbackSecret = operation({
  name: 'Rotate Callback Secret',
  summary:
    'Makes a new secret that signs callbacks, shown once; the one before signs for 24 hours.',
  access: 'administrator',
  bindings: both('POST', '/api/callbacks/secret', { answer: CallbackSecretAnswer }),
  handle: async (_input: object, ctx) => ({ secret: await rotateSecret(ctx) }),
})

export const callbackOperations = [getCallbacks, redeliverCallback, rotateCallbackSecret]
