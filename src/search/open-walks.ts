import { limits } from '../limits.ts'

/** Walks for which this instance keeps a point in time: few, since each costs memory and disk. */
export interface OpenWalks {
  /** Gives a walk a place for `limits.walkMs` from now; false where there is none for it. */
  keep(id: string, organization: string): boolean
  end(id: string): void
}

/** `now`: milliseconds of a monotonic clock. */
export function createOpenWalks(now: () => number = () => performance.now()): OpenWalks {
  // By the time until which they are kept, the earliest first.
  const walks = new Map<string, { organization: string; until: number }>()
  return {
    keep(id, organization) {
      for (const [lapsed, { until }] of walks) {
        if (until > now()) break
        walks.delete(lapsed)
      }
      const isKept = walks.delete(id)
      const own = [...walks.values()].filter((walk) => walk.organization === organization).length
      if (!isKept && (walks.size >= limits.openWalks || own >= limits.organizationWalks)) {
        return false
      }
      walks.set(id, { organization, until: now() + limits.walkMs })
      return true
    },
    end(id) {
      walks.delete(id)
    },
  }
}
