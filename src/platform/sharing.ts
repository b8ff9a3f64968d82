import { limits } from '../limits.ts'

/** Tells whether several owners are active: whether a second one came within limits.sharingMs. */
export function createSharing(clock: () => number) {
  let latest: string | undefined
  let until = -Infinity
  return {
    /** Notes that an owner came. */
    note(owner: string): void {
      if (latest !== undefined && latest !== owner) until = clock() + limits.sharingMs
      latest = owner
    },
    isShared: (): boolean => clock() < until,
  }
}
