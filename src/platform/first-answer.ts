interface Tries<T> {
  /** Asks once; `n` counts from 0. Ends with `signal`. */
  readonly ask: (n: number, signal: AbortSignal) => Promise<T>
  readonly most: number
  /** Milliseconds without an answer after which one more begins. */
  readonly afterMs: number
  /** Told of each such silence; whether one more may begin now. Asked again soon where it may not. */
  readonly onSilence: () => boolean
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
  const { ask, most, afterMs, onSilence, isFinal } = tries
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
      wait()
    }
    const wait = (ms = afterMs) => {
      if (begun === most) return
      timer = setTimeout(() => (onSilence() ? begin() : wait(afterMs / 4)), ms)
    }
    begin()
  })
}
