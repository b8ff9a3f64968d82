import { Cron } from 'croner'
import { Invalid } from '../errors.ts'
import { limits } from '../limits.ts'

/** The schedule of an import: a five-field cron expression in a time zone (UTC when null). */
export interface Schedule {
  readonly schedule: string
  readonly timezone: string | null
}

const FIELDS = 5
/** Years that are searched for a run. Searching all for a day that never comes takes a second. */
const YEARS = 10
/** Runs that are compared to find two too close together: several days of the densest schedule. */
const LOOKED_AT = 500

/** Throws Invalid, with the place, for an invalid or too dense schedule. */
export function checkSchedule(wanted: Schedule, now: Date): void {
  parse(wanted, now)
  // In UTC, since a change to daylight saving time moves fixed times together.
  const cron = parse({ ...wanted, timezone: null }, now)
  const minutes = limits.scheduleMs / 60_000
  let last: Date | undefined
  for (const run of cron.nextRuns(LOOKED_AT, now)) {
    if (last && run.getTime() - last.getTime() < limits.scheduleMs) {
      throw new Invalid(`schedule: must not run more often than every ${minutes} minutes`)
    }
    last = run
  }
  if (!last) throw new Invalid(`schedule: would not run within ${YEARS} years`)
}

/**
 * The first run within ten years after `after`, or null if there is none. A fixed time (without
 * `*` in minute and hour) skipped by daylight saving runs right after the gap, and a repeated one
 * runs once. Throws Invalid.
 */
export const nextRun = (wanted: Schedule, after: Date): Date | null =>
  parse(wanted, after).nextRun(after)

function parse({ schedule, timezone }: Schedule, from: Date): Cron {
  if (schedule.trim().split(/\s+/).length !== FIELDS) {
    throw new Invalid(
      'schedule: must have five fields (minute, hour, day of month, month, day of week), as in "30 2 * * 1-5"',
    )
  }
  const zone = timezone ?? 'UTC'
  if (!isZone(zone)) throw new Invalid('timezone: unknown; expected a name such as "Europe/Berlin"')
  try {
    const year = from.getUTCFullYear()
    // In some zones it is still the year before.
    return new Cron(`0 ${schedule} ${year - 1}-${year + YEARS}`, {
      timezone: zone,
      mode: '7-part',
      fixedTimeRule: 'no-wildcard',
      paused: true,
    })
  } catch {
    throw new Invalid('schedule: not a valid cron expression, as in "30 2 * * 1-5"')
  }
}

function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
