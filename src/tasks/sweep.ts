import { runDaily } from '../elastic/lease.ts'
import { keptSince } from '../elastic/monthly-names.ts'
import type { Retention } from '../elastic/retention.ts'
import { scanAllScopes } from '../elastic/scan.ts'
import type { Services } from '../operation.ts'
import { forEach } from '../platform/for-each.ts'
import { tasksOf } from './store.ts'
import { FINISHED, type Task } from './task.ts'

/** Milliseconds per run, well within its lease. */
const RUN_MS = 5 * 60 * 1000

/**
 * Removes finished tasks of all organizations after RETENTION_MONTHS; runs daily, on one instance.
 * A run that ends early, by time or by `signal`, leaves the rest to the next one.
 */
export async function removeOldTasks(
  services: Services,
  { months }: Pick<Retention, 'months'>,
  signal: AbortSignal,
): Promise<boolean> {
  const { elastic, clock } = services
  const now = clock.now()
  return runDaily(elastic, { name: 'old tasks', now }, () =>
    forEach(services, {
      name: 'remove old tasks',
      items: scanAllScopes<Pick<Task, 'id'>>(elastic, 'tasks', {
        _source: ['id', 'scope'],
        query: {
          bool: {
            filter: [
              { terms: { status: [...FINISHED] } },
              { range: { finished: { lt: keptSince(now, months).toISOString() } } },
            ],
          },
        },
        sort: ['finished', 'id'],
      }),
      work: ({ id, scope }) => tasksOf(services, scope).remove(id),
      signal: AbortSignal.any([signal, AbortSignal.timeout(RUN_MS)]),
    }),
  )
}
