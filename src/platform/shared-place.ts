import type { Leave } from './admission.ts'

/** Several parts of one request, which has its place until none of them works. */
export interface SharedPlace {
  /** One of as many parts as were announced. Repeated calls of its functions have no effect. */
  part(): { leave(): void; end(): void }
}

/** Calls `leavePlace` when each of `parts` has ended or waits for something else, and one waits. */
export function sharedPlace(leavePlace: Leave | undefined, parts: number): SharedPlace {
  let working = parts
  let waiting = 0
  return {
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
