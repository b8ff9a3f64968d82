interface HedgedAttempts<T> {
  /** Makes attempt `n`, counted from 0. It ends when `signal` aborts. */
  readonly ask: (n: number, signal: AbortSignal) => Promise<T>
  readonly most: number
  /** Milliseconds between calls of `onSilence`. */
  readonly lookMs: number
  /** Whether to begin another attempt now that the latest has been silent for `ms` milliseconds. */
  readonly onSilence: (ms: number) => boolean
  /** Whether another attempt could not succeed either. */
  readonly isFinal: (error: unknown) => boolean
  readonly signal: AbortSignal
}

/**
 * Hedged attempts: begins another one while none has answered, keeps the slow ones, and aborts the
 * others at the first answer. Throws a final failure at once, any other when no attempt is left.
 */
export function hedgedAttempts<T>(tries: HedgedAttempts<T>): Promise<T> {
  const { ask, most, lookMs, onSilence, isFinal } = tries
  const over = new AbortController()
  const signal = AbortSignal.any([tries.signal, over.signal])
  let begun = 0
  let open = 0
  let timer: NodeJS.Timeout | undefined
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      clearTimeout(timer)
      settle()
      over.abort()
    }
    const begin = () => {
      open++
      ask(begun++, signal).then(
        (answer) => end(() => resolve(answer)),
        (error) => {
          if (--open === 0 || isFinal(error)) end(() => reject(error))
        },
      )
      if (begun < most) look(performance.now())
    }
    const look = (since: number) => {
      // setImmediate first reads the answers that arrived while this process was busy.
      timer = setTimeout(() => setImmediate(lookNow, since), lookMs)
    }
    const lookNow = (since: number) => {
      if (over.signal.aborted) return
      if (onSilence(performance.now() - since)) begin()
      else look(since)
    }
    begin()
  })
}
