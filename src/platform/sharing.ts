import { limits } from '../limits.ts'

/** Tells which owners are active: several, or others than one, if they came within limits.sharingMs. */
export function createSharing(clock: () => number) {
  let latest: string | undefined
  let latestAt = -Infinity
  /** When the last owner other than the latest came. */
  let otherAt = -Infinity
  let until = -Infinity
  return {
    /** Notes that an owner came. */
    note(owner: string): void {
      if (latest !== owner) {
        if (latest !== undefined) until = clock() + limits.sharingMs
        otherAt = latestAt
        latest = owner
      }
      latestAt = clock()
    },
    isShared: (): boolean => clock() < until,
    /** Whether others than this owner, which works in the background, are active. */
    hasOthers: (owner: string): boolean =>
      clock() < (owner === latest ? otherAt : latestAt) + limits.sharingMs,
  }
}
