import { z } from 'zod'
import { both, type Context, operation } from '../operation.ts'
import { ActionResponse, done, Id } from '../shapes.ts'
import { TaskList, TasksQuery, TaskUpdateBody, toTaskShape } from './schemas.ts'
import { listTasks, updateTask } from './store.ts'

const list = { query: TasksQuery, answer: TaskList }

const getTasks = operation({
  name: 'Get Tasks',
  summary: 'Lists the background tasks of the organization, newest first, with their progress.',
  access: 'viewer',
  keys: ['import'],
  bindings: both('GET', '/api/tasks', list),
  handle: async (query: z.output<typeof TasksQuery>, ctx) => {
    const tasks = await listTasks(ctx, query)
    return { items: tasks.map((task) => toTaskShape(ctx, task)) }
  },
})

const TaskKey = z.object({ id: Id.describe('Id of the task.') })
const update = { param: TaskKey, body: TaskUpdateBody, answer: ActionResponse }

interface Update {
  readonly id: string
  readonly body: z.output<typeof TaskUpdateBody>
}

const updateTaskOperation = operation({
  name: 'Update Task',
  summary:
    'Marks a task as reviewed or dismissed, confirms what it asks, or cancels it: what it has done stays done.',
  access: 'editor',
  keys: ['import'],
  fails: ['conflict'],
  bindings: both('PUT', '/api/tasks/:id', update),
  handle: async ({ id, body }: Update, ctx: Context) => {
    const { status, cancelRequested } = await updateTask(ctx, id, body)
    const stopping = cancelRequested && status === 'running'
    return done(stopping ? 'The task is being cancelled.' : 'Task updated.', { id, taskId: id })
  },
})

export const taskOperations = [getTasks, updateTaskOperation]
