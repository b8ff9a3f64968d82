import type { Connection } from '../connection.ts'
import type { Task } from '../generated/api.ts'
import { followTask } from '../tasks.ts'
import { command } from './command.ts'
import { columns, oneLine } from './output.ts'
import { createMeter } from './progress.ts'

/** Shows the progress of a task until it ends or waits for a confirmation. */
export async function follow(
  connection: Connection,
  id: string,
  { label, json }: { readonly label: string; readonly json?: boolean },
): Promise<Task> {
  const meter = createMeter(process.stderr, label)
  const started = performance.now()
  return followTask(connection, id, {
    onProgress: ({ percentCompleted, processed }) =>
      json ||
      meter.show({
        part: percentCompleted / 100,
        count: processed,
        unit: 'rows',
        elapsedMs: performance.now() - started,
      }),
  }).finally(() => meter.end())
}

/** The lines printed for a task that ended or that waits for a confirmation. */
export const taskSummary = ({ id, status, message }: Task): string =>
  oneLine(`${status}: ${message}`) +
  (status === 'waiting' ? `\nTo continue: aisle tasks confirm ${id}` : '')

const row = ({ id, status, percentCompleted, createDate, source, message }: Task) => [
  id,
  status,
  `${percentCompleted} %`,
  createDate,
  source,
  message,
]

const HEADINGS = ['id', 'status', 'done', 'queued', 'source', 'message']

const change = (name: 'cancel' | 'confirm', summary: string, body: Record<string, true>) =>
  command({
    name: `tasks ${name}`,
    summary,
    operands: 'ID',
    count: [1, 1],
    async run({ client, operands, answer }) {
      const answered = await client.updateTask({ id: operands[0]!, ...body })
      answer(answered, () => [oneLine(answered.message)])
      return undefined
    },
  })

export const taskCommands = [
  command({
    name: 'tasks list',
    summary: 'Lists imports, exports and other tasks, newest first.',
    options: { all: { about: 'include dismissed tasks' } },
    async run({ client, values, answer }) {
      const answered = await client.getTasks({ includeDismissed: values.all === true })
      answer(answered, () => columns(HEADINGS, answered.items.map(row)))
      return undefined
    },
  }),
  command({
    name: 'tasks wait',
    summary: 'Waits until a task ends. The exit status is 0 if it completed.',
    operands: 'ID',
    count: [1, 1],
    async run(session) {
      const task = await follow(session.connection, session.operands[0]!, { label: 'task' })
      session.answer(task, () => [taskSummary(task)])
      return task.success ? 0 : 1
    },
  }),
  change('cancel', 'Cancels a task. Completed work is kept.', { cancelled: true }),
  change('confirm', 'Confirms a task that waits for confirmation.', { confirmed: true }),
]
