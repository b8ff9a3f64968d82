/** Milliseconds for which the processor worked on this thread: on the event loop's, for that. */
export const processorMs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/** What the processor did for one owner of work. */
export interface ProcessorUse {
  /** Of work that is under way. */
  places: number
  /** Milliseconds so far, by what a place had had at `since`. */
  ms: number
  since: number
}

export const unused = (): ProcessorUse => ({ places: 0, ms: 0, since: 0 })

/**
 * Counts so many places more, or fewer, under way for an owner; answers how many milliseconds the
 * processor has worked for them. At each moment it works for all that is under way, by places.
 */
export type UseMeter = (owner: ProcessorUse, places: number) => number

export function createUseMeter(worked = processorMs): UseMeter {
  let underWay = 0
  let perPlace = 0
  let last = worked()
  return (owner, places) => {
    const now = worked()
    if (underWay > 0) perPlace += (now - last) / underWay
    last = now
    owner.ms += owner.places * (perPlace - owner.since)
    owner.since = perPlace
    owner.places += places
    underWay += places
    return owner.ms
  }
}
