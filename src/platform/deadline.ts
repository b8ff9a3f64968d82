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

/** Runs work of ours, or waits for it, which does not count for the time of another system. */
export type OurTime = <T>(work: () => Promise<T>) => Promise<T>

/**
 * A signal that aborts after `ms` milliseconds, not counting those of `ourTime`, and after `most`
 * milliseconds in any case.
 */
export function theirTimeLimit(ms: number, most: number) {
  let left = ms
  let since = performance.now()
  let theirs = timeLimit(ms)
  const whole = timeLimit(most)
  const limit = new AbortController()
  const follow = ({ signal }: { signal: AbortSignal }) =>
    signal.addEventListener('abort', () => limit.abort(signal.reason))
  follow(theirs)
  follow(whole)
  let under = 0
  const ourTime: OurTime = async (work) => {
    if (under++ === 0) {
      theirs.end()
      left -= performance.now() - since
    }
    try {
      return await work()
    } finally {
      if (--under === 0) {
        since = performance.now()
        theirs = timeLimit(Math.max(0, left))
        follow(theirs)
      }
    }
  }
  return {
    signal: limit.signal,
    ourTime,
    end(): void {
      theirs.end()
      whole.end()
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
