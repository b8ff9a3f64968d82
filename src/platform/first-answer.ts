interface Tries<T> {
  /** Asks once; `n` counts from 0. Ends with `signal`. */
  readonly ask: (n: number, signal: AbortSignal) => Promise<T>
  readonly most: number
  /** Milliseconds between two looks at a silence. */
  readonly lookMs: number
  /** Told how long the latest try has been silent, in milliseconds; whether a further one begins now. */
  readonly onSilence: (ms: number) => boolean
  /** Failures that no other try would mend. */
  readonly isFinal: (error: unknown) => boolean
  readonly signal: AbortSignal
}

/**
 * The first answer of several tries at one thing, which begin one after the other while none answers:
 * a slow one is not given up for the next. Ends all others then. Throws a final failure at once,
 * another one when no try is left.
 */
export function firstAnswer<T>(tries: Tries<T>): Promise<T> {
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
      // Answers that came while this process was busy are read first.
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
