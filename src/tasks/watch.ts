import type { Lease } from './task.ts'

/**
 * Which leases have lapsed, as one instance sees it: whose holder has not been heard of for the
 * lease's time by this instance's own monotonic clock. No two instances compare their clocks.
 */
export interface LeaseWatch {
  hasLapsed(task: string, lease: Lease): boolean
  /** Forgets all but these tasks. */
  keepOnly(tasks: readonly string[]): void
}

interface Seen {
  readonly fence: number
  readonly beat: number
  readonly since: number
}

export function createLeaseWatch(now: () => number = () => performance.now()): LeaseWatch {
  const seen = new Map<string, Seen>()
  return {
    hasLapsed(task, { fence, beat, ms, free }) {
      if (free) return true
      const known = seen.get(task)
      if (known?.fence === fence && known.beat === beat) return now() - known.since >= ms
      seen.set(task, { fence, beat, since: now() })
      return false
    },
    keepOnly(tasks) {
      const kept = new Set(tasks)
      for (const task of seen.keys()) if (!kept.has(task)) seen.delete(task)
    },
  }
}
