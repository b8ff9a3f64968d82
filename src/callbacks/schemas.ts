import { z } from 'zod'
import { limits } from '../limits.ts'

/** CallbackDelivery with its newest `attempts`, oldest first. */
const CallbackDelivery = z
  .object({
    id: z.string().describe('Also the `webhook-id` of every attempt.'),
    taskId: z.string().describe('The task whose end is told.'),
    url: z
      .string()
      .describe('The `callbackUrl` of the task; empty where it can no longer be read.'),
    status: z
      .enum(['pending', 'delivered', 'failed'])
      .describe('`pending`: it is tried again at `nextAttempt`.'),
    attempts: z
      .array(
        z.object({
          time: z.string(),
          status: z.number().nullable().describe('HTTP status of the answer; null without one.'),
          error: z.string().nullable().describe('Why it was not taken; null when it was.'),
        }),
      )
      .describe(`Oldest first; the newest ${limits.callbackAttempts}.`),
    nextAttempt: z.string().nullable().describe('When it is tried next; null when it is not.'),
  })
  .meta({ id: 'CallbackDelivery' })

export const CallbackList = z
  .object({ items: z.array(CallbackDelivery).describe('Newest first.') })
  .describe('A page of callbacks.')

export const CallbackSecretAnswer = z
  .object({
    secret: z.string().describe('Verifies callbacks by Standard Webhooks; shown this once.'),
  })
  .describe('The new secret.')
