import { untilAborted } from './deadline.ts'

interface UnderWay<T> {
  readonly result: Promise<T>
  readonly stop: AbortController
  waiting: number
}

/** Creates work by key, local to this process and shared by all callers while it runs. */
export function createSharedWork<T>() {
  const all = new Map<string, UnderWay<T>>()

  function begun(key: string, begin: (signal: AbortSignal) => Promise<T>): UnderWay<T> {
    const stop = new AbortController()
    const work: UnderWay<T> = { result: begin(stop.signal), stop, waiting: 0 }
    all.set(key, work)
    return work
  }

  return {
    /**
     * The signal of `begin` aborts when no caller waits any longer. An error goes to all who wait.
     */
    async run(
      key: string,
      signal: AbortSignal | undefined,
      begin: (signal: AbortSignal) => Promise<T>,
    ): Promise<T> {
      const work = all.get(key) ?? begun(key, begin)
      work.waiting++
      try {
        return await untilAborted(signal, work.result)
      } finally {
        if (--work.waiting === 0) {
          all.delete(key)
          work.stop.abort()
        }
      }
    },
  }
}

export type SharedWork<T> = ReturnType<typeof createSharedWork<T>>
