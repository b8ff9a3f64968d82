import { getTask, readFile, updateTask } from 'aisle-client'
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { count } from '../../ui/offers.ts'
import { useConsole } from '../console.ts'
import { nameOf, saveFile } from '../parts/save-file.ts'
import { type Action, ActionStatus, useAction } from '../parts/use-action.tsx'
import { problemOf } from '../problem.ts'
import type { Task } from '../types.ts'
import { countsOf, rejectsOf, STATUSES } from './words.ts'

/** Polling interval while a task runs. */
const EACH_MS = 700

/** Changes that Update Task accepts. */
export type TaskChange =
  | { confirmed: true; message: string | null }
  | { cancelled: true }
  | { dismissed: boolean }

export interface FollowedTask {
  readonly task: Task | undefined
  readonly problem: string
  change(change: TaskChange): Promise<void>
}

/** A task, polled until it has completed. */
export function useTask(id: string): FollowedTask {
  const { connection } = useConsole()
  const [task, setTask] = useState<Task>()
  const [problem, setProblem] = useState('')
  const [asked, setAsked] = useState(0)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    const abort = new AbortController()
    const read = async () => {
      let next: Task | undefined
      try {
        next = await getTask(connection, { id }, { signal: abort.signal })
        setTask(next)
        setProblem('')
      } catch (error) {
        if (abort.signal.aborted) return
        setProblem(problemOf(error).text)
      }
      if (!next?.completed && next?.status !== 'waiting') timer = setTimeout(read, EACH_MS)
    }
    void read()
    return () => {
      abort.abort()
      clearTimeout(timer)
    }
  }, [connection, id, asked])
  const change = async (body: TaskChange) => {
    await updateTask(connection, { id, ...body })
    setAsked((times) => times + 1)
  }
  return { task, problem, change }
}

/** A task's progress, its counts, and what it rejected. */
export function TaskCounts({ task }: { task: Task }) {
  const action = useAction()
  const { status, message, percentCompleted, rejectsUrl, fileUrl, source, warnings = [] } = task
  return (
    <>
      {!task.completed && (
        <progress max={100} value={percentCompleted} aria-label={`Progress: ${source}`} />
      )}
      <p class={status === 'failed' ? 'problem' : undefined} role="status">
        <b>{STATUSES[status]}</b>
        {message ? ` · ${message}` : ''}
      </p>
      <dl class="counts">
        {countsOf(task).map(({ label, count: number }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{count(number)}</dd>
          </div>
        ))}
      </dl>
      {warnings.map((warning) => (
        <p key={warning} class="warning">
          {warning}
        </p>
      ))}
      {(fileUrl || rejectsUrl) && (
        <p class="buttons">
          {fileUrl && (
            <FileButton action={action} url={fileUrl}>
              Download file
            </FileButton>
          )}
          {rejectsUrl && (
            <FileButton action={action} url={rejectsUrl} name={`rejected ${source}`}>
              Download {rejectsOf(task)}
            </FileButton>
          )}
        </p>
      )}
      <ActionStatus action={action} />
    </>
  )
}

interface FileProps {
  readonly action: Action
  readonly url: string
  /** The file name; that of the response if absent. */
  readonly name?: string
  readonly children: ComponentChildren
}

/** Downloads a file that requires the key in a header. */
function FileButton({ action, url, name, children }: FileProps) {
  const { connection } = useConsole()
  const save = async () => {
    const id = url.slice(url.lastIndexOf('/') + 1)
    const file = await readFile(connection, { id })
    saveFile(await file.blob(), name ?? nameOf(file))
    return undefined
  }
  return (
    <button type="button" class="button" disabled={action.busy} onClick={() => action.run(save)}>
      {children}
    </button>
  )
}

/** A task's pending confirmation, and a button to cancel it. */
export function TaskQuestion({ task, change }: Omit<FollowedTask, 'problem'> & { task: Task }) {
  const action = useAction()
  const answer = (body: TaskChange) =>
    action.run(async () => {
      await change(body)
      return undefined
    })
  if (task.completed) return null
  return (
    <p class="buttons">
      {task.status === 'waiting' && (
        <button
          type="button"
          class="button is-main"
          disabled={action.busy}
          onClick={() => answer({ confirmed: true, message: task.message })}
        >
          Confirm
        </button>
      )}
      <button
        type="button"
        class="button"
        disabled={action.busy}
        onClick={() => answer({ cancelled: true })}
      >
        Cancel task
      </button>
      <ActionStatus action={action} />
    </p>
  )
}
