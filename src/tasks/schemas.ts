import { z } from 'zod'
import { fileUrl } from '../files/store.ts'
import type { Services } from '../operation.ts'
import { QueryFlag } from '../shapes.ts'
import type { ListedTask } from './store.ts'
import { isFinished } from './task.ts'

/** Task (interface: Other shapes), with the counts of an import as additions. */
export const TaskShape = z
  .object({
    id: z.string(),
    status: z.string(),
    message: z.string(),
    source: z.string(),
    sourceType: z.string(),
    createDate: z.string(),
    completed: z.boolean(),
    success: z.boolean(),
    reviewed: z.boolean(),
    dismissed: z.boolean(),
    percentCompleted: z.number(),
    processed: z.number(),
    created: z.number(),
    updated: z.number(),
    unchanged: z.number(),
    rejected: z.number(),
    removed: z.number(),
    rejectsUrl: z.string().nullable(),
  })
  .meta({ id: 'Task' })
export type TaskShape = z.infer<typeof TaskShape>

export const TaskList = z.object({ items: z.array(TaskShape) })

export const TasksQuery = z.object({
  includeDismissed: QueryFlag(false),
  fetchUpdates: QueryFlag(true),
})

export const TaskUpdateBody = z
  .object({
    reviewed: z.boolean().nullish(),
    dismissed: z.boolean().nullish(),
    cancelled: z.boolean().nullish(),
    confirmed: z.boolean().nullish(),
  })
  .refine(
    (update) => Object.values(update).some((value) => value !== null && value !== undefined),
    'name at least one of reviewed, dismissed, cancelled and confirmed',
  )

export const toTaskShape = (services: Services, task: ListedTask): TaskShape => ({
  id: task.id,
  status: task.status,
  message: task.message,
  source: task.source,
  sourceType: task.sourceType,
  createDate: task.createDate,
  completed: isFinished(task),
  success: task.status === 'completed',
  reviewed: task.reviewed,
  dismissed: task.dismissed,
  percentCompleted: task.percentCompleted,
  removed: 0,
  ...task.counts,
  rejectsUrl: task.rejectsFile === null ? null : fileUrl(services, task.rejectsFile),
})
