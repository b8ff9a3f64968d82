import { Invalid } from '../errors.ts'
import type { Manifest, Problem } from '../extensions/contract.ts'
import type { Installation, InstallationSettings } from '../extensions/installation.ts'
import { checkSchedule, nextRun } from '../extensions/schedule.ts'

type ScheduleSettings = Pick<InstallationSettings, 'schedule' | 'timezone'>

/** Problems of an installation's schedule. */
export function scheduleProblems(
  { kind }: Pick<Manifest, 'kind'>,
  { schedule, timezone }: ScheduleSettings,
  now: Date,
): Problem[] {
  if (schedule === null) return []
  if (kind !== 'import') return [{ field: 'schedule', message: 'only allowed for imports' }]
  try {
    checkSchedule({ schedule, timezone }, now)
    return []
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    const [field, message] = error.message.split(/: (.*)/s) as [string, string]
    return [{ field, message }]
  }
}

/** The next run of an installation; null when it is disabled or has no schedule. */
export function nextRunOf(
  { enabled, settings: { schedule, timezone } }: Pick<Installation, 'enabled' | 'settings'>,
  now: Date,
): string | null {
  if (!enabled || schedule === null) return null
  return nextRun({ schedule, timezone }, now)?.toISOString() ?? null
}

/** Whether a change alters the schedule; other changes leave a due run due. */
export const isRescheduled = (before: Installation, after: Installation): boolean =>
  before.enabled !== after.enabled ||
  before.settings.schedule !== after.settings.schedule ||
  before.settings.timezone !== after.settings.timezone
