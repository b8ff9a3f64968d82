import { setTimeout as sleep } from 'node:timers/promises'
import { Failure, ignoring, Stale, Unavailable } from '../errors.ts'
import { limits } from '../limits.ts'
import type { Services } from '../operation.ts'
import { OutboundFailure } from '../platform/outbound/failure.ts'
import { retryAfterMs } from '../platform/outbound/retry-after.ts'
import { retryWhile } from '../platform/retry.ts'
import { webhookHeaders } from '../platform/webhook-signature.ts'
import { openedAddress } from '../tasks/callback-address.ts'
import { type Attempt, afterAttempt, claimedDelivery, type Delivery, isDue } from './delivery.ts'
import { signingSecrets } from './signing-secrets.ts'
import { type DueDelivery, deliveriesOf } from './store.ts'

/**
 * Milliseconds of a claim, longer than an attempt takes. Without a result by then, the delivery is
 * attempted again.
 */
const CLAIM_MS = 60_000
const PAUSE_MS = 1_000

/**
 * Attempts a due callback unless another instance does. An attempt whose result cannot be stored is
 * repeated under the same id. When `signal` aborts, the callback becomes due again. Returns whether
 * the receiver responded; undefined without an attempt.
 */
export async function deliver(
  services: Services,
  { id, organization }: DueDelivery,
  signal: AbortSignal,
): Promise<boolean | undefined> {
  const deliveries = deliveriesOf(services, organization)
  const { clock } = services
  const found = await deliveries.get(id)
  if (!found || !isDue(found.source, clock.now())) return undefined
  const claim = crypto.randomUUID()
  const until = new Date(clock.now().getTime() + CLAIM_MS)
  const claimed = claimedDelivery(found.source, claim, until)
  if (!(await deliveries.replace(id, claimed, found).catch(ignoring(Stale)))) return undefined
  const giveUp = performance.now() + CLAIM_MS
  const ended = await attempt(services, organization, found.source, signal)
  services.metrics.callbacks.inc({ result: resultOf(ended) })
  await persisted({ giveUp, signal }, async () => {
    const now = await deliveries.get(id)
    if (!now) return
    const next =
      ended === 'stopped'
        ? released(now.source, { claim, at: clock.now() })
        : afterAttempt(now.source, { ...ended, claim, now: clock.now(), random: Math.random() })
    await deliveries.replace(id, next, now)
  })
  return ended === 'stopped' ? undefined : ended.attempt.status !== null
}

const released = (delivery: Delivery, { claim, at }: { claim: string; at: Date }): Delivery =>
  delivery.claim === claim ? { ...delivery, claim: null, nextAttempt: at.toISOString() } : delivery

const resultOf = (ended: AttemptResult | 'stopped'): string =>
  ended === 'stopped' ? 'stopped' : ended.attempt.error === null ? 'delivered' : 'failed'

type AttemptResult = { readonly attempt: Attempt; readonly retryAfterMs: number | undefined }

async function attempt(
  services: Services,
  organization: string,
  delivery: Delivery,
  signal: AbortSignal,
): Promise<AttemptResult | 'stopped'> {
  const now = services.clock.now()
  const time = now.toISOString()
  try {
    const secrets = await signingSecrets(services, organization)
    const { status, headers, body } = await services.outbound.open({
      url: openedAddress(services, { organization, ...delivery }),
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...webhookHeaders({ id: delivery.id, body: delivery.body, now }, secrets),
      },
      body: delivery.body,
      timeoutMs: limits.callbackMs,
      maxBytes: Number.MAX_SAFE_INTEGER,
      signal,
      owner: delivery.family ?? organization,
      about: { organization, callback: delivery.id },
    })
    // The content of the answer is not read.
    await body.return(undefined)
    const taken = status >= 200 && status < 300
    const error = taken ? null : `The receiver responded with status ${status}.`
    return {
      attempt: { time, status, error },
      retryAfterMs: retryAfterMs(headers['retry-after'], now),
    }
  } catch (error) {
    if (signal.aborted) return 'stopped'
    const known = error instanceof OutboundFailure || error instanceof Failure
    if (!known) services.log.error({ err: error, callback: delivery.id }, 'callback failed')
    const message = known ? error.message : 'An internal error occurred. It has been logged.'
    return { attempt: { time, status: null, error: message }, retryAfterMs: undefined }
  }
}

/** Retries a conditional write until the claim ends or the service stops. */
const persisted = (
  { giveUp, signal }: { giveUp: number; signal: AbortSignal },
  write: () => Promise<void>,
): Promise<void> =>
  retryWhile([Stale, Unavailable], write, async (failure) => {
    if (failure instanceof Stale) return
    if (signal.aborted || performance.now() > giveUp) throw failure
    await sleep(PAUSE_MS, undefined, { signal }).catch(() => undefined)
  })
