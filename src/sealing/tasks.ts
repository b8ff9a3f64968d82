import { anyOf, some, term } from '../elastic/clauses.ts'
import { everywhere } from '../elastic/everywhere.ts'
import { currentIndex } from '../elastic/indices.ts'
import { refreshIndex } from '../elastic/refresh.ts'
import { sealedIn } from '../platform/secrets.ts'
import { FINISHED, TASK_STATUSES, type Task } from '../tasks/task.ts'
import type { Keeping } from './seal-anew.ts'

/**
 * How many tasks that have not ended hold what an earlier key has sealed: where a file is, the
 * values of a run, the address of a callback. They are not sealed anew, since they end by themselves.
 */
export async function tasksSealedBefore({ elastic, secrets }: Keeping): Promise<number> {
  if ((await currentIndex(elastic, elastic.indexName('tasks'))) === undefined) return 0
  await refreshIndex(elastic, 'tasks')
  const going = TASK_STATUSES.filter((status) => !FINISHED.includes(status))
  const query = some([anyOf('status', going), term('callbackDue', true)])!
  let found = 0
  for await (const tasks of everywhere<Task>(elastic, 'tasks', { query, sort: ['scope', 'id'] })) {
    found += tasks.filter(({ input, checkpoint, callbackUrl }) =>
      sealedIn([input, checkpoint, callbackUrl]).some((sealed) => !secrets.isCurrent(sealed)),
    ).length
  }
  return found
}
