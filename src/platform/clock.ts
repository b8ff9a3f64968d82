/** The current time, replaceable in tests. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }

/**
 * Whether less than `ms` milliseconds have passed since `at`, both since 1970. False for a later
 * `at`, as after the clock was set back: otherwise a value would be valid for as long as that.
 */
export const isWithin = (at: number, ms: number, now: number): boolean => now >= at && now - at < ms
