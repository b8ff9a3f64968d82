import { anyOf } from '../elastic/clauses.ts'
import { everywhere } from '../elastic/everywhere.ts'
import { currentIndex } from '../elastic/indices.ts'
import { refreshIndex } from '../elastic/refresh.ts'
import { sealedIn } from '../platform/secrets.ts'
import { FINISHED, TASK_STATUSES, type Task } from '../tasks/task.ts'
import type { Keeping } from './seal-anew.ts'

/**
 * How many tasks that have not ended hold what an earlier key has sealed: where a file is, the
 * values of a run. They are not sealed anew, since they end by themselves.
 */
export async function tasksSealedBefore({ elastic, secrets }: Keeping): Promise<number> {
  if ((await currentIndex(elastic, elastic.indexName('tasks'))) === undefined) return 0
  await refreshIndex(elastic, 'tasks')
  const query = anyOf(
    'status',
    TASK_STATUSES.filter((status) => !FINISHED.includes(status)),
  )!
  let found = 0
  for await (const tasks of everywhere<Task>(elastic, 'tasks', { query, sort: ['scope', 'id'] })) {
    found += tasks.filter(({ input, checkpoint }) =>
      sealedIn([input, checkpoint]).some((sealed) => !secrets.isCurrent(sealed)),
    ).length
  }
  return found
}
