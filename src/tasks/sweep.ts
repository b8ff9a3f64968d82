import { runDaily } from '../elastic/lease.ts'
import { keptSince } from '../elastic/monthly-names.ts'
import type { Retention } from '../elastic/retention.ts'
import { scanAllScopes } from '../elastic/scan.ts'
import type { Services } from '../operation.ts'
import { forEach } from '../platform/for-each.ts'
import { tasksOf } from './store.ts'
import { FINISHED, type Task, type TaskStatus } from './task.ts'

/** Milliseconds per run, well within its lease. */
const RUN_MS = 5 * 60 * 1000

/**
 * Removes tasks of all organizations RETENTION_MONTHS after they ended, and questions as old; runs
 * daily, on one instance. A run that ends early, by time or by `signal`, leaves the rest to the next
 * one.
 */
export async function removeOldTasks(
  services: Services,
  { months }: Pick<Retention, 'months'>,
  signal: AbortSignal,
): Promise<boolean> {
  const { elastic, clock } = services
  const now = clock.now()
  const since = keptSince(now, months).toISOString()
  const before = (time: string, status: readonly TaskStatus[]) => ({
    bool: { filter: [{ terms: { status: [...status] } }, { range: { [time]: { lt: since } } }] },
  })
  return runDaily(elastic, { name: 'old tasks', now }, () =>
    forEach(services, {
      name: 'remove old tasks',
      items: scanAllScopes<Pick<Task, 'id'>>(elastic, 'tasks', {
        _source: ['id', 'scope'],
        query: {
          // A question that nobody answered is as old as its task.
          bool: {
            should: [before('finished', FINISHED), before('createDate', ['waiting'])],
          },
        },
        sort: ['createDate', 'id'],
      }),
      work: ({ id, scope }) => tasksOf(services, scope).remove(id),
      signal: AbortSignal.any([signal, AbortSignal.timeout(RUN_MS)]),
    }),
  )
}
