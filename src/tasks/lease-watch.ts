import type { TaskLease } from './task.ts'

/**
 * Tells which leases have lapsed: those without a heartbeat for the lease's time, by this
 * instance's own monotonic clock. Clocks of instances are never compared.
 */
export interface LeaseWatch {
  hasLapsed(task: string, lease: TaskLease): boolean
  /** Forgets all tasks except these. */
  keepOnly(tasks: readonly string[]): void
}

export function createLeaseWatch(now: () => number = () => performance.now()): LeaseWatch {
  const seen = new Map<string, { fence: number; beat: number; since: number }>()
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
