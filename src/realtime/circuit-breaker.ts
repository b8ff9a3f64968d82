/** The state of a circuit breaker. Times are milliseconds since 1970. */
export type CircuitBreaker =
  | { readonly kind: 'closed'; readonly failures: number }
  /** Calls are refused until then. */
  | { readonly kind: 'open'; readonly until: number; readonly waitMs: number }
  /** One trial call is under way. It counts as lost if it has not ended by then. */
  | { readonly kind: 'trial'; readonly until: number; readonly waitMs: number }

/** The initial state, and the state after each answer. */
export const closed: CircuitBreaker = { kind: 'closed', failures: 0 }

/** Consecutive failures that open the breaker. */
export const THRESHOLD = 5
export const FIRST_WAIT_MS = 5_000
/** Each failed trial doubles the wait, up to this. */
export const LONGEST_WAIT_MS = 5 * 60 * 1000
/** How long a trial may take: longer than any call. */
export const TRIAL_MS = 10_000

/**
 * Whether a call made now would be refused. Not for longer than the longest wait, even if the clock
 * was set back.
 */
export const isBreakerOpen = (breaker: CircuitBreaker, now: number): boolean =>
  breaker.kind !== 'closed' && now < breaker.until && now >= breaker.until - LONGEST_WAIT_MS

/** The facts of a call that affect the state of the breaker. */
interface BreakerCall {
  readonly now: number
  /**
   * Whether values that its caller gave may be why it fails. Such a call neither takes the trial
   * nor counts when it fails, so that no caller keeps a vendor paused for others.
   */
  readonly hasOwnValues: boolean
}

/** The state while a call is under way; undefined when it is refused. */
export function admitCall(
  breaker: CircuitBreaker,
  { now, hasOwnValues }: BreakerCall,
): CircuitBreaker | undefined {
  if (breaker.kind === 'closed') return breaker
  if (isBreakerOpen(breaker, now)) return undefined
  return hasOwnValues ? breaker : { kind: 'trial', until: now + TRIAL_MS, waitMs: breaker.waitMs }
}

/** The state after a call that failed. */
export function afterFailure(
  breaker: CircuitBreaker,
  { now, hasOwnValues }: BreakerCall,
): CircuitBreaker {
  if (hasOwnValues || breaker.kind === 'open') return breaker
  if (breaker.kind === 'trial') {
    return opened(now, Math.min(breaker.waitMs * 2, LONGEST_WAIT_MS))
  }
  const failures = breaker.failures + 1
  return failures < THRESHOLD ? { kind: 'closed', failures } : opened(now, FIRST_WAIT_MS)
}

const opened = (now: number, waitMs: number): CircuitBreaker => ({
  kind: 'open',
  until: now + waitMs,
  waitMs,
})
