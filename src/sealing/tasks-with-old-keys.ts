import { anyOf, some, term } from '../elastic/clauses.ts'
import { sealedIn } from '../platform/secrets.ts'
import { TASK_STATUSES } from '../tasks/schemas.ts'
import { FINISHED, type Task } from '../tasks/task.ts'
import type { ReencryptServices } from './reencrypt.ts'
import { scanRefreshed } from './scan-refreshed.ts'

/**
 * Counts unfinished tasks with values sealed by an earlier key: file locations, run values,
 * callback addresses. They are not re-encrypted, since they end on their own.
 */
export async function countTasksWithOldKeys({
  elastic,
  secrets,
}: ReencryptServices): Promise<number> {
  const going = TASK_STATUSES.filter((status) => !FINISHED.includes(status))
  const query = some([anyOf('status', going), term('callbackDue', true)])!
  let found = 0
  for await (const tasks of scanRefreshed<Task>(elastic, 'tasks', { query })) {
    found += tasks.filter(({ input, checkpoint, callbackUrl }) =>
      sealedIn([input, checkpoint, callbackUrl]).some((sealed) => !secrets.isCurrent(sealed)),
    ).length
  }
  return found
}
