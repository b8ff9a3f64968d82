import { getTasks, updateTask } from 'aisle-client'
import { useCallback, useEffect, useState } from 'preact/hooks'
import { Switch } from '../../ui/switch.tsx'
import { useConsole } from '../console.ts'
import { Page } from '../parts/page.tsx'
import { ActionStatus, useAction } from '../parts/use-action.tsx'
import { Shown, useLoaded } from '../parts/use-loaded.tsx'
import { formatRoute } from '../route.ts'
import type { Task } from '../types.ts'
import { type TaskChange, TaskCounts, TaskQuestion } from './task-parts.tsx'
import { titleOf } from './words.ts'

/** Polling interval while a task runs. */
const EACH_MS = 1_500

/** Running and completed tasks, newest first. */
export function TasksPage() {
  const { connection } = useConsole()
  const [all, setAll] = useState(false)
  const load = useCallback(
    (signal: AbortSignal) => getTasks(connection, { includeDismissed: all }, { signal }),
    [connection, all],
  )
  const loaded = useLoaded(load)
  const { value, reload } = loaded
  useEffect(() => {
    if (!value?.items.some(({ status }) => status === 'queued' || status === 'running')) return
    const timer = setTimeout(reload, EACH_MS)
    return () => clearTimeout(timer)
  }, [value, reload])
  return (
    <Page
      title="Tasks"
      lead="Imports, exports and bulk changes. Tasks resume after a restart."
      aside={
        <Switch on={all} onChange={setAll}>
          Show dismissed
        </Switch>
      }
    >
      <Shown of={loaded}>
        {({ items }) =>
          items.length === 0 ? (
            <p>
              No tasks to show. <a href={formatRoute({ page: 'import' })}>Import a file</a>
            </p>
          ) : (
            <ol class="tasks">
              {items.map((task) => (
                <Entry key={task.id} task={task} reload={reload} />
              ))}
            </ol>
          )
        }
      </Shown>
    </Page>
  )
}

function Entry({ task, reload }: { task: Task; reload(): Promise<void> }) {
  const { connection } = useConsole()
  const action = useAction()
  const change = async (body: TaskChange) => {
    await updateTask(connection, { id: task.id, ...body })
    await reload()
  }
  return (
    <li class={`task is-${task.status}`}>
      <h2>{titleOf(task)}</h2>
      <p class="amount">{new Date(task.createDate).toLocaleString()}</p>
      <TaskCounts task={task} />
      <TaskQuestion task={task} change={change} />
      {task.completed && (
        <button
          type="button"
          class="more"
          disabled={action.busy}
          onClick={() =>
            action.run(async () => {
              await change({ dismissed: !task.dismissed })
              return undefined
            })
          }
        >
          {task.dismissed ? 'Restore' : 'Dismiss'}
        </button>
      )}
      <ActionStatus action={action} />
    </li>
  )
}
