import { limits } from '../limits.ts'
import { delayAfter } from './retry-schedule.ts'
import type { CallbackDelivery } from './schemas.ts'

/** One delivery attempt. */
export type Attempt = Readonly<CallbackDelivery['attempts'][number]>

/** A callback delivery: its content and the attempts made so far. */
export interface Delivery extends Readonly<Pick<CallbackDelivery, 'id' | 'taskId' | 'status'>> {
  readonly attempts: readonly Attempt[]
  /**
   * The organization with its parent and its siblings, which share slots; absent in older versions.
   */
  readonly family?: string
  /**
   * Tells the receivers (origins) of the organization apart, as a hash; absent in older versions.
   */
  readonly receiver?: string
  /** Sealed, see tasks/callback-address.ts. */
  readonly url: string
  /** Identical in every attempt. */
  readonly body: string
  /** Attempts made under the current schedule. */
  readonly tries: number
  /**
   * When the next attempt is due; during an attempt, when that counts as lost. Null when nothing
   * remains to be done.
   */
  readonly nextAttempt: string | null
  /** Identifies the current holder. */
  readonly claim: string | null
  readonly created: string
  readonly expires: string
}

const DAY_MS = 24 * 60 * 60 * 1000

export const expiryFrom = (now: Date): string =>
  new Date(now.getTime() + limits.callbackDays * DAY_MS).toISOString()

export const isDue = ({ status, nextAttempt }: Delivery, now: Date): boolean =>
  status === 'pending' && nextAttempt !== null && Date.parse(nextAttempt) <= now.getTime()

/** The delivery while `claim` attempts it, until `until` at the latest. */
export const claimedDelivery = (delivery: Delivery, claim: string, until: Date): Delivery => ({
  ...delivery,
  claim,
  nextAttempt: until.toISOString(),
})

/** How an attempt ended. */
export interface FinishedAttempt {
  readonly claim: string
  readonly attempt: Attempt
  /** Milliseconds that the receiver asked to wait. */
  readonly retryAfterMs: number | undefined
  readonly now: Date
  /** From 0 to 1. */
  readonly random: number
}

/** The delivery after an attempt; once it is redelivered, only its list of attempts changes. */
export function afterAttempt(
  delivery: Delivery,
  { claim, attempt, retryAfterMs, now, random }: FinishedAttempt,
): Delivery {
  const attempts = [...delivery.attempts, attempt].slice(-limits.callbackAttempts)
  if (delivery.claim !== claim) return { ...delivery, attempts }
  const next = { ...delivery, attempts, tries: delivery.tries + 1, claim: null, nextAttempt: null }
  if (attempt.error === null) return { ...next, status: 'delivered' }
  const delay = delayAfter(next.tries, random)
  // 410 Gone: the receiver wants no further deliveries.
  if (attempt.status === 410 || delay === undefined) return { ...next, status: 'failed' }
  const wait = Math.max(delay, Math.min(retryAfterMs ?? 0, limits.callbackRetryAfterMs))
  return { ...next, nextAttempt: new Date(now.getTime() + wait).toISOString() }
}

/** The delivery, due now with a new schedule. */
export const redelivered = (delivery: Delivery, now: Date): Delivery => ({
  ...delivery,
  status: 'pending',
  tries: 0,
  claim: null,
  nextAttempt: now.toISOString(),
  expires: expiryFrom(now),
})
