import { limits } from '../limits.ts'

/** The walks that hold a point in time in this instance. Limited, as each costs memory and disk. */
export interface OpenWalks {
  /** Reserves or renews a slot for `limits.walkMs` from now. Returns false if none is free. */
  keep(id: string, organization: string): boolean
  end(id: string): void
}

/** `now` returns milliseconds of a monotonic clock. */
export function createOpenWalks(now: () => number = () => performance.now()): OpenWalks {
  // Ordered by expiry, the earliest first.
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
