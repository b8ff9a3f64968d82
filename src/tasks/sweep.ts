import { runWhenDue } from '../elastic/lease.ts'
import { keptSince } from '../elastic/monthly-names.ts'
import type { Retention } from '../elastic/retention.ts'
import { scanAllScopes } from '../elastic/scan.ts'
import type { Services } from '../operation.ts'
import { forEach } from '../platform/for-each.ts'
import { tasksOf } from './store.ts'
import { FINISHED, type Task } from './task.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const LEASE_MS = 10 * 60 * 1000
/** Milliseconds per run, well within the lease. */
const RUN_MS = 5 * 60 * 1000

/**
 * Removes, once a day and on one instance, tasks of all organizations that ended longer ago than
 * logs are kept. A run that ends early, by time or by `signal`, leaves the rest to the next one.
 */
export async function removeOldTasks(
  services: Services,
  { months }: Pick<Retention, 'months'>,
  signal: AbortSignal,
): Promise<boolean> {
  const { elastic, clock } = services
  const now = clock.now()
  const due = { name: 'old tasks', now, periodMs: DAY_MS, leaseMs: LEASE_MS }
  return runWhenDue(elastic, due, () =>
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
