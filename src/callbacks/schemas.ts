import { z } from 'zod'
import { limits } from '../limits.ts'
import { NullableNumber } from '../shapes.ts'

/** CallbackDelivery with its newest `attempts`, oldest first. */
const CallbackDelivery = z
  .object({
    id: z.string().describe('Id of the callback, sent as `webhook-id` with every attempt.'),
    taskId: z.string().describe('Id of the task that the callback reports on.'),
    url: z.string().describe('The `callbackUrl` of the task. Empty if it can no longer be read.'),
    status: z
      .enum(['pending', 'delivered', 'failed'])
      .describe('Delivery status. `pending` callbacks are tried again at `nextAttempt`.'),
    attempts: z
      .array(
        z.object({
          time: z.string(),
          status: NullableNumber.describe('HTTP status of the response. `null` if there was none.'),
          error: z.string().nullable().describe('Why the attempt failed. `null` if it succeeded.'),
        }),
      )
      .describe(
        `Delivery attempts, oldest first, limited to the newest ${limits.callbackAttempts}.`,
      ),
    nextAttempt: z.string().nullable().describe('Time of the next attempt. `null` if none is due.'),
  })
  .meta({ id: 'CallbackDelivery' })
export type CallbackDelivery = z.output<typeof CallbackDelivery>

export const CallbackList = z
  .object({ items: z.array(CallbackDelivery).describe('Callbacks, newest first.') })
  .describe('A page of callbacks.')

export const CallbackSecretAnswer = z
  .object({
    secret: z
      .string()
      .describe(
        'Secret for verifying callbacks according to Standard Webhooks. It is shown only once.',
      ),
  })
  .describe('The new secret.')
