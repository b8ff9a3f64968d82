import { TooManyRequests } from '../errors.ts'

/**
 * A signal that aborts after `ms` milliseconds, or with `other`. Unlike AbortSignal.timeout and
 * AbortSignal.any, it leaves no timer or listener behind.
 */
export function timeLimit(ms: number, other?: AbortSignal) {
  const limit = new AbortController()
  const late = () => limit.abort(timeoutError())
  const follow = () => limit.abort(other!.reason)
  const timer = setTimeout(late, ms)
  timer.unref()
  if (other?.aborted) follow()
  else other?.addEventListener('abort', follow)
  return {
    signal: limit.signal,
    /** Cancels the abort. */
    end(): void {
      clearTimeout(timer)
      other?.removeEventListener('abort', follow)
    },
  }
}

const timeoutError = () =>
  new DOMException('The operation was aborted due to timeout', 'TimeoutError')

/** Runs work of ours, or waits for it, while the time limit of another system is paused. */
export type WhilePaused = <T>(work: () => Promise<T>) => Promise<T>

/** For work under no such limit. */
export const unpaused: WhilePaused = (work) => work()

/**
 * A signal that aborts after `ms` milliseconds, not counting those of `whilePaused`. With them it
 * aborts after `maxMs` milliseconds, for TooManyRequests: the other system is not to blame.
 */
export function pausableTimeLimit(ms: number, maxMs: number) {
  const limit = new AbortController()
  const tooLong = () =>
    limit.abort(new TooManyRequests('Too much else is under way. Try again in a second.'))
  const whole = setTimeout(tooLong, maxMs)
  whole.unref()
  let left = ms
  let since: number
  let timer: NodeJS.Timeout
  function run(): void {
    since = performance.now()
    timer = setTimeout(() => limit.abort(timeoutError()), Math.max(0, left))
    timer.unref()
  }
  run()
  let pauses = 0
  let hasEnded = false
  const whilePaused: WhilePaused = async (work) => {
    if (pauses++ === 0) {
      clearTimeout(timer)
      left -= performance.now() - since
    }
    try {
      return await work()
    } finally {
      if (--pauses === 0 && !hasEnded) run()
    }
  }
  return {
    signal: limit.signal,
    whilePaused,
    end(): void {
      hasEnded = true
      clearTimeout(timer)
      clearTimeout(whole)
    },
  }
}

/** The result of `work`, or the error of `late` after `ms` milliseconds. */
export async function withDeadline<T>(work: Promise<T>, ms: number, late: () => Error): Promise<T> {
  const { promise: end, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(late()), ms)
  try {
    return await Promise.race([work, end])
  } finally {
    clearTimeout(timer)
  }
}

/** The result of `work`, or the reason of `signal` when it aborts first; the work continues. */
export async function untilAborted<T>(
  signal: AbortSignal | undefined,
  work: Promise<T>,
): Promise<T> {
  if (!signal) return work
  const { promise, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal.reason)
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([promise, work])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

/** A check for work that asks whether to stop: throws the reason once `signal` has aborted. */
export const abortCheck = (signal: AbortSignal) => (): boolean => {
  signal.throwIfAborted()
  return false
}
