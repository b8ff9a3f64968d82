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
}

export const newProcessorUse = (): ProcessorUse => ({ places: 0, ms: 0, since: 0 })

/**
 * Returns a function that adds places of an owner, or removes them if negative, and returns the
 * milliseconds that the processor has worked for that owner. Its time is split over all work under
 * way by places.
 */
export function createUseMeter(worked = processorMs) {
  let underWay = 0
  let perPlace = 0
  let last = worked()
  return (owner: ProcessorUse, places: number): number => {
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
