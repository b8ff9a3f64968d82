import { TooManyRequests } from '../errors.ts'

/** Bounds how much of one kind of work each owner may have under way. */
export interface InFlight {
  /** Runs `work`, or throws TooManyRequests when `owner` has `limit` under way already. */
  run<T>(owner: string, work: () => Promise<T>): Promise<T>
}

/** `limit`: how much each owner may have under way. `what` is named when it is too much. */
export function createInFlight(limit: number, what = 'searches'): InFlight {
  const counts = new Map<string, number>()
  return {
    async run(owner, work) {
      const count = counts.get(owner) ?? 0
      if (count >= limit) {
        throw new TooManyRequests(`At most ${limit} ${what} at once. Try again in a second.`)
      }
      counts.set(owner, count + 1)
      try {
        return await work()
      } finally {
        const left = (counts.get(owner) ?? 1) - 1
        if (left === 0) counts.delete(owner)
        else counts.set(owner, left)
      }
    },
  }
}
