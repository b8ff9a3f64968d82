/** The time, as a value, so that tests can say what it is. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }
