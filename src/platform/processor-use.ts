import { limits } from '../limits.ts'

/** Milliseconds of processor time of this thread, which the event loop runs in. */
export const processorMs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/** The processor time used for one owner of work. */
export interface ProcessorUse {
  /** Places of the owner's work under way. */
  places: number
  /** Milliseconds used up to `since`, which is the processor time per place at the last update. */
  ms: number
  since: number
  /** Milliseconds that need no rest any more, as of `restedAt`. */
  restedMs: number
  restedAt: number
}

export const newProcessorUse = (now: number): ProcessorUse => ({
  places: 0,
  ms: 0,
  since: 0,
  restedMs: 0,
  restedAt: now,
})

/** Splits the processor's time over all work under way by places, apart from what is charged. */
export interface UseMeter {
  /**
   * Adds places of an owner, or removes them if negative, and returns the milliseconds that the
   * processor has worked for that owner.
   */
  addPlaces(owner: ProcessorUse, places: number): number
  /** Charges one owner for all `ms` of a step that has just ended. */
  charge(owner: ProcessorUse, ms: number): void
}

export function createUseMeter(worked = processorMs): UseMeter {
  let underWay = 0
  let perPlace = 0
  let last = worked()
  return {
    addPlaces(owner, places) {
      const now = worked()
      if (underWay > 0) perPlace += (now - last) / underWay
      last = now
      owner.ms += owner.places * (perPlace - owner.since)
      owner.since = perPlace
      owner.places += places
      underWay += places
      return owner.ms
    },
    charge(owner, ms) {
      owner.ms += ms
      // Places that were added or removed during the step have been charged for a part of it.
      last = Math.min(last + ms, worked())
    },
  }
}

/** The part of the processor that light work of an owner may use without a rest. */
const UNRESTED_PART = 1 / 4

/** Milliseconds that an owner rests after work that used `workedMs`, which are then rested. */
export function workRest(use: ProcessorUse, workedMs: number, now: number): number {
  const restedMs = Math.min(use.ms, use.restedMs + (now - use.restedAt) * UNRESTED_PART)
  const ms = Math.max(workedMs, use.ms - restedMs)
  const isHeavy = ms >= limits.heavyMs
  use.restedMs = isHeavy ? use.ms : restedMs
  use.restedAt = now
  return isHeavy ? Math.min(limits.restMs, ms) : 0
}
