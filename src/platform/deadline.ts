/**
 * A signal that aborts after `ms` milliseconds, or with `other`. Unlike AbortSignal.timeout and
 * AbortSignal.any, it leaves no timer or listener behind.
 */
export function timeLimit(ms: number, other?: AbortSignal) {
  const limit = new AbortController()
  const late = () =>
    limit.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'))
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
