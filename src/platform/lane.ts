import { TooManyRequests } from '../errors.ts'

/** A bounded number of pieces of work at once; a bounded number of others wait their turn. */
export interface Lane {
  /** Throws TooManyRequests when too many wait already, and the signal's reason while waiting. */
  run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>
}

/** `what` is named when too much waits. */
export function createLane({
  atOnce,
  waiting,
  what,
}: {
  atOnce: number
  waiting: number
  what: string
}): Lane {
  let running = 0
  const line: (() => void)[] = []

  async function turn(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    if (running < atOnce) {
      running++
      return
    }
    if (line.length >= waiting) {
      throw new TooManyRequests(`Too many ${what} at once. Try again in a second.`)
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const leave = () => {
      const at = line.indexOf(resolve)
      // Handed a place a moment ago: nobody else leaves the line for it.
      if (at === -1) return
      line.splice(at, 1)
      reject(signal.reason)
    }
    line.push(resolve)
    signal.addEventListener('abort', leave, { once: true })
    // Whoever ends hands over its place, so `running` stays as it is.
    await promise.finally(() => signal.removeEventListener('abort', leave))
  }

  const end = () => {
    const next = line.shift()
    if (next) next()
    else running--
  }

  return {
    async run(signal, work) {
      await turn(signal)
      try {
        return await work()
      } finally {
        end()
      }
    },
  }
}
