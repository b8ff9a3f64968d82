import { z } from 'zod'
import { bothRevisions, operation } from '../operation.ts'
import { ActionResponse, done, Id } from '../shapes.ts'
import { TaskList, TaskShape, TasksQuery, TaskUpdateBody } from './schemas.ts'
import { listTasks, readTask, toTaskShape, updateTask } from './store.ts'

const TaskPath = z.object({ id: Id.describe('Id of the task.') })

export const taskOperations = [
  operation({
    name: 'Get Tasks',
    summary: "Lists the organization's background tasks with their progress, newest first.",
    access: 'viewer',
    keys: ['import'],
    cost: 4,
    polled: true,
    bindings: bothRevisions('GET', '/api/tasks', { query: TasksQuery, answer: TaskList }),
    handle: async (query, ctx) => {
      const tasks = await listTasks(ctx, query)
      return { items: tasks.map((task) => toTaskShape(ctx, task)) }
    },
  }),
  operation({
    name: 'Get Task',
    summary: 'Returns a task with its current progress, however old it is.',
    access: 'viewer',
    keys: ['import'],
    bindings: bothRevisions('GET', '/api/tasks/:id', { param: TaskPath, answer: TaskShape }),
    handle: async ({ id }, ctx) => toTaskShape(ctx, await readTask(ctx, id)),
  }),
  operation({
    name: 'Update Task',
    summary:
      'Marks a task as reviewed or dismissed, confirms its question, or cancels it. Work that was already done is kept.',
    access: 'editor',
    keys: ['import'],
    fails: ['conflict'],
    bindings: bothRevisions('PUT', '/api/tasks/:id', {
      param: TaskPath,
      body: TaskUpdateBody,
      answer: ActionResponse,
    }),
    handle: async ({ id, body }, ctx) => {
      const { status, cancelRequested } = await updateTask(ctx, id, body)
      const stopping = cancelRequested && status === 'running'
      return done(stopping ? 'The task is being cancelled.' : 'Task updated.', { id, taskId: id })
    },
  }),
]
