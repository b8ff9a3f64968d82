const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** Milliseconds after each failed attempt but the last; about a day in total. */
const DELAYS: readonly number[] = [
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  4 * HOUR,
  8 * HOUR,
  8 * HOUR,
]
/** Random part of a delay, so that a recovered receiver is not called by all deliveries at once. */
const JITTER = 0.1

/** Milliseconds from the `tries`th failed attempt to the next; undefined after the last. */
export function delayAfter(tries: number, random: number): number | undefined {
  const delay = DELAYS[tries - 1]
  return delay === undefined ? undefined : Math.round(delay * (1 + random * JITTER))
}
