import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { limits } from '../limits.ts'
import type { Admission, Leave } from './admission.ts'
import { untilAborted } from './deadline.ts'

const REMEMBERED = 10_000

/**
 * Milliseconds that an owner rests after work since `began`: `times` as long as it took, up to
 * `most`, and none while no others are active.
 */
export function restSince(
  requests: Pick<Admission, 'hasOthers'>,
  owner: string,
  began: number,
  { times = 1, most = limits.restMs }: { times?: number; most?: number } = {},
): number {
  return requests.hasOthers(owner) ? Math.min(most, times * (performance.now() - began)) : 0
}

/** Rests of owners after pieces of work. An owner who rests takes nothing from others. */
export interface Rests {
  /** The owner begins nothing for so many milliseconds. */
  begin(owner: string, ms: number): void
  /**
   * Enters an admission once the owner has rested, however often others of the owner go first.
   * Throws the signal's reason, and what `enter` throws.
   */
  enter(owner: string, enter: () => Promise<Leave>, signal?: AbortSignal): Promise<Leave>
}

export function createRests(): Rests {
  const until = new LRUCache<string, number>({ max: REMEMBERED })
  return {
    begin(owner, ms) {
      if (ms > 0) until.set(owner, Math.max(until.get(owner) ?? 0, performance.now() + ms))
    },
    async enter(owner, enter, signal) {
      const left = () => Math.max(0, (until.get(owner) ?? 0) - performance.now())
      for (;;) {
        // A timer may fire a fraction of a millisecond early.
        while (left() > 0) await untilAborted(signal, sleep(Math.ceil(left())))
        const leave = await enter()
        // Another piece of its work may have ended meanwhile.
        if (left() === 0) return leave
        leave()
      }
    },
  }
}
