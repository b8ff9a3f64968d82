import { sweepIdempotency } from './bulk/idempotency.ts'
import { sweepCallbacks } from './callbacks/sweep.ts'
import { removeOrphanedIndices } from './catalogs/orphaned-indices.ts'
import { removeDeletedCatalogs } from './catalogs/removal.ts'
import { createIdleMerge } from './elastic/merge-idle.ts'
import { ALL_PRODUCTS } from './elastic/own-index.ts'
import { prepareMonths } from './elastic/prepare-months.ts'
import { dropOldMonths, type Retention } from './elastic/retention.ts'
import { sweepFiles } from './files/sweep.ts'
import { sweepImages } from './images/sweep.ts'
import { startDueImports } from './imports/installed/scheduled.ts'
import { removeOrphanedInstallations } from './installations/orphaned-installations.ts'
import { moveOutgrown, settleMoves } from './moves/upkeep.ts'
import type { Services } from './operation.ts'
import { type Periodic, periodically } from './platform/periodic.ts'
import { applyPeriods, removeDeletedLists } from './price-lists/upkeep.ts'
import { flushPending } from './products/settle-log.ts'
import { sweepSessions } from './punchout/sweep.ts'
import { checkClock, isClockUsable } from './status/health.ts'
import { removeOldTasks } from './tasks/sweep.ts'
import { voidAbandoned } from './usage/sweep.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** Periodic work: its name, its interval and its function. Any instance may do it at any time. */
type Upkeep = readonly [name: string, everyMs: number, work: Periodic['work']]

/** Work that deletes or starts something at a time. A wrong clock would do that too early. */
const timedUpkeep = (services: Services, retention: Retention | undefined): readonly Upkeep[] => [
  ['start scheduled imports', 5 * SECOND, () => startDueImports(services)],
  ['end punchout sessions', MINUTE, () => sweepSessions(services)],
  ['remove orphaned indices', HOUR, () => removeOrphanedIndices(services)],
  ['remove expired files', 10 * MINUTE, (signal) => sweepFiles(services, signal)],
  ['remove old callbacks', 10 * MINUTE, (signal) => sweepCallbacks(services, signal)],
  ['forget idempotency keys', 10 * MINUTE, (signal) => sweepIdempotency(services, signal)],
  ['look at pictures', 10 * MINUTE, (signal) => sweepImages(services, signal)],
  [
    'drop old logs',
    10 * MINUTE,
    async () => retention && dropOldMonths(services.elastic, retention, services.clock.now()),
  ],
  [
    'remove old tasks',
    10 * MINUTE,
    async (signal) => retention && removeOldTasks(services, retention, signal),
  ],
]

/** The periodic work of every instance. `retention`: how long logs are kept. */
export const upkeepOf = (
  services: Services,
  retention: Retention | undefined,
): readonly Upkeep[] => [
  ...timedUpkeep(services, retention).map(
    ([name, everyMs, work]): Upkeep => [
      name,
      everyMs,
      async (signal) => (await isClockUsable(services)) && work(signal),
    ],
  ),
  ['remove deleted catalogs', 5 * SECOND, () => removeDeletedCatalogs(services)],
  ['move catalogs', 5 * SECOND, () => settleMoves(services)],
  ['move outgrown catalogs', HOUR, () => moveOutgrown(services)],
  ['void abandoned searches', 5 * SECOND, () => voidAbandoned(services)],
  ['store left change-log entries', 5 * SECOND, () => flushPending(services)],
  ['apply periods of prices', 5 * SECOND, () => applyPeriods(services)],
  ['remove deleted price lists', 5 * SECOND, () => removeDeletedLists(services)],
  [
    'remove extensions of users who left',
    10 * MINUTE,
    (signal) => removeOrphanedInstallations(services, { signal }),
  ],
  ['merge segments', 5 * MINUTE, createIdleMerge(services.elastic, ALL_PRODUCTS)],
  ['compare clocks', 5 * MINUTE, () => checkClock(services)],
  [
    'prepare monthly indices',
    6 * HOUR,
    () => prepareMonths(services.elastic, services.clock.now()),
  ],
]

/** Begins the upkeep. `stop` waits for what is under way. */
export function startUpkeep(services: Services, retention: Retention | undefined) {
  services.background.run('compare clocks', () => checkClock(services))
  const works = upkeepOf(services, retention).map(([name, everyMs, work]) =>
    periodically(services.log, { name, everyMs, work }),
  )
  return {
    async stop(): Promise<void> {
      await Promise.all(works.map((work) => work.stop()))
    },
  }
}
