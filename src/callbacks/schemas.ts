import { z } from 'zod'

/** CallbackDelivery: `attempts` oldest first, the newest of them. */
export const CallbackDelivery = z
  .object({
    id: z.string(),
    taskId: z.string(),
    url: z.string(),
    status: z.enum(['pending', 'delivered', 'failed']),
    attempts: z.array(
      z.object({
        time: z.string(),
        status: z.number().nullable(),
        error: z.string().nullable(),
      }),
    ),
    nextAttempt: z.string().nullable(),
  })
  .meta({ id: 'CallbackDelivery' })

export const CallbackList = z.object({ items: z.array(CallbackDelivery) })

export const CallbackSecretAnswer = z.object({ secret: z.string() })
