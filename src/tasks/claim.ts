import { term } from '../elastic/clauses.ts'
import { collection, type Stored } from '../elastic/collection.ts'
import { Stale } from '../errors.ts'
import type { Services } from '../operation.ts'
import { tasksOf } from './store.ts'
import type { Task } from './task.ts'

/** A task that waits to be run, and whose it is. */
export interface DueTask {
  readonly id: string
  readonly organization: string
}

const LOOKED_AT = 50

/**
 * The oldest task of each organization that is queued or whose lease ran out: whose turn it is can
 * only be seen across organizations, and one with many tasks shall not hold up the others. It
 * answers ids; each task is then opened in its own organization.
 */
export async function dueTasks(services: Services, kinds: readonly string[]): Promise<DueTask[]> {
  const everyone = collection<Task & { scope: string }>(services.elastic, {
    kind: 'tasks',
    scope: [],
  })
  const now = services.clock.now().toISOString()
  const answer = await everyone.search({
    size: LOOKED_AT,
    track_total_hits: false,
    _source: ['id', 'scope'],
    collapse: { field: 'scope' },
    sort: [{ createDate: 'asc' }, { id: 'asc' }],
    query: {
      bool: {
        filter: [
          { terms: { kind: [...kinds] } },
          term('store', await services.files.id()),
          {
            bool: {
              should: [
                term('status', 'queued'),
                {
                  bool: {
                    filter: [term('status', 'running'), { range: { 'lease.until': { lte: now } } }],
                  },
                },
              ],
            },
          },
        ],
      },
    },
  })
  return answer.hits.hits.map(({ _source }) => ({
    id: _source!.id,
    organization: _source!.scope,
  }))
}

/** Takes a task for `holder` by a conditional write; undefined when somebody was faster. */
export async function takeTask(
  services: Services,
  due: DueTask,
  { holder, leaseMs }: { holder: string; leaseMs: number },
): Promise<Stored<Task> | undefined> {
  const tasks = tasksOf(services, due.organization)
  const found = await tasks.get(due.id)
  const now = services.clock.now()
  if (!found || !isDue(found.source, now)) return undefined
  const taken: Task = {
    ...found.source,
    status: 'running',
    message: found.source.lease === null ? 'Running.' : found.source.message,
    lease: {
      holder,
      fence: (found.source.lease?.fence ?? 0) + 1,
      until: new Date(now.getTime() + leaseMs).toISOString(),
    },
  }
  try {
    return await tasks.replace(due.id, taken, found)
  } catch (error) {
    if (error instanceof Stale) return undefined
    throw error
  }
}

function isDue({ status, lease }: Task, now: Date): boolean {
  if (status === 'queued') return true
  return status === 'running' && lease !== null && Date.parse(lease.until) <= now.getTime()
}
