import { limits } from '../limits.ts'
import { delayAfter } from './schedule.ts'

/** One try to deliver. `status` is null when nobody answered. */
export interface Attempt {
  readonly time: string
  readonly status: number | null
  /** Null: it was taken. */
  readonly error: string | null
}

/** A callback on its way: what is sent, and how that went. */
export interface Delivery {
  /** The webhook-id of every attempt. */
  readonly id: string
  readonly taskId: string
  /** Sealed, see tasks/callback-address.ts. */
  readonly url: string
  /** The same bytes in every attempt. */
  readonly body: string
  readonly status: 'pending' | 'delivered' | 'failed'
  /** The newest, oldest first. */
  readonly attempts: readonly Attempt[]
  /** Attempts of the schedule that is under way. */
  readonly tries: number
  /** While an attempt is under way: when it is taken for lost. Null when nothing is to be done. */
  readonly nextAttempt: string | null
  /** Who is at it. */
  readonly claim: string | null
  readonly created: string
  readonly expires: string
}

const DAY_MS = 24 * 60 * 60 * 1000

export const expiryFrom = (now: Date): string =>
  new Date(now.getTime() + limits.callbackDays * DAY_MS).toISOString()

export const isDue = ({ status, nextAttempt }: Delivery, now: Date): boolean =>
  status === 'pending' && nextAttempt !== null && Date.parse(nextAttempt) <= now.getTime()

/** A delivery that `claim` tries until `until` at the latest. */
export const claimed = (delivery: Delivery, claim: string, until: Date): Delivery => ({
  ...delivery,
  claim,
  nextAttempt: until.toISOString(),
})

/** How an attempt ended. */
export interface Ended {
  readonly claim: string
  readonly attempt: Attempt
  /** Milliseconds for which the receiver asks to be left alone. */
  readonly retryAfterMs: number | undefined
  readonly now: Date
  /** From 0 to 1. */
  readonly random: number
}

/** The delivery after an attempt. Of one that somebody began anew meanwhile only the list changes. */
export function afterAttempt(
  delivery: Delivery,
  { claim, attempt, retryAfterMs, now, random }: Ended,
): Delivery {
  const attempts = [...delivery.attempts, attempt].slice(-limits.callbackAttempts)
  if (delivery.claim !== claim) return { ...delivery, attempts }
  const next = { ...delivery, attempts, tries: delivery.tries + 1, claim: null, nextAttempt: null }
  if (attempt.error === null) return { ...next, status: 'delivered' }
  const delay = delayAfter(next.tries, random)
  // 410 says that nothing is wanted there any more.
  if (attempt.status === 410 || delay === undefined) return { ...next, status: 'failed' }
  const wait = Math.max(delay, Math.min(retryAfterMs ?? 0, limits.callbackRetryAfterMs))
  return { ...next, nextAttempt: new Date(now.getTime() + wait).toISOString() }
}

/** The delivery, due now and with a whole schedule before it. */
export const redelivered = (delivery: Delivery, now: Date): Delivery => ({
  ...delivery,
  status: 'pending',
  tries: 0,
  claim: null,
  nextAttempt: now.toISOString(),
  expires: expiryFrom(now),
})
