import type { Leave } from './admission.ts'

/**
 * The place of one request that works on several parts, kept until none of them is working. Calls
 * `leavePlace` whenever no part is working and at least one waits.
 */
export function sharedPlace(leavePlace: Leave | undefined, parts: number) {
  let working = parts
  let waiting = 0
  return {
    /** Begins one of the announced parts. Repeated calls of its functions have no effect. */
    part() {
      let state: 'working' | 'waiting' | 'ended' = 'working'
      const become = (next: 'waiting' | 'ended') => {
        if (state === next || state === 'ended') return
        if (state === 'working') working--
        else waiting--
        if (next === 'waiting') waiting++
        state = next
        if (working === 0 && waiting > 0) leavePlace?.()
      }
      return { leave: () => become('waiting'), end: () => become('ended') }
    },
  }
}
