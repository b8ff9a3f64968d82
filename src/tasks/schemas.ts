import { z } from 'zod'
import { limits } from '../limits.ts'
import { allowIgnoredFields } from '../platform/known-fields.ts'
import { QueryFlag } from '../shapes.ts'
import { TASK_STATUSES } from './task.ts'

/** Task, with the counts of an import as additions. */
export const TaskShape = z
  .object({
    id: z.string().describe('As Update Task takes it.'),
    status: z
      .enum(TASK_STATUSES)
      .describe(
        '`waiting`: it asks, by `message`, and goes on when it is confirmed by Update Task.',
      ),
    message: z.string().describe('How it goes, what it asks, or why it failed.'),
    source: z
      .string()
      .describe(
        'What it works on: the file of an import, the name of an installed extension, or a catalog.',
      ),
    sourceType: z
      .string()
      .describe('`import`, `export`, `delete`, `update`, `pictures` or `move`.'),
    createDate: z.string(),
    completed: z.boolean().describe('It has ended: `status` is completed, failed or cancelled.'),
    success: z.boolean().describe('`status` is completed.'),
    reviewed: z.boolean().describe('Somebody marked it so by Update Task.'),
    dismissed: z
      .boolean()
      .describe('Somebody marked it so by Update Task; it is listed only with `includeDismissed`.'),
    percentCompleted: z.number().describe('0 to 100.'),
    processed: z
      .number()
      .describe(
        'Rows of the import that are done, products that are exported, updated, deleted or copied, or pictures that were looked at.',
      ),
    created: z.number().describe('Rows that made a product.'),
    updated: z.number().describe('Rows that changed a product, or pictures that were fetched.'),
    unchanged: z.number().describe('Rows that changed nothing, or pictures that were kept before.'),
    rejected: z
      .number()
      .describe('Rows that were rejected, or pictures that could not be fetched.'),
    removed: z.number().describe('Offers that a full file removed.'),
    hidden: z.number().describe('Products that a full file hid.'),
    deleted: z
      .number()
      .describe(
        'Products that were deleted: by rows (counted as updated, too), by a full file, or by Delete Products.',
      ),
    rejectsUrl: z
      .string()
      .nullable()
      .describe(
        'The file that lists rejected rows with line and reason, or pictures with reason, product and address; null without any.',
      ),
    fileUrl: z
      .string()
      .nullable()
      .describe('The file that a completed export made; null where there is none.'),
    columns: z
      .array(
        z.object({
          column: z.int().describe('From 0.'),
          heading: z.string().describe('As the file has it.'),
          field: z.string().nullable().describe('As a mapping names it; null: it was not used.'),
          attribute: z
            .string()
            .nullable()
            .describe('Name of the attribute, facet, filter or option; null of other fields.'),
          values: z.int().describe('Cells of it that said something.'),
        }),
      )
      .optional()
      .describe('What became of the columns of an imported table; absent before its end.'),
    warnings: z
      .array(z.string())
      .optional()
      .describe('What to look at though it went well; absent without any.'),
  })
  .meta({ id: 'Task', description: 'An import, an export or other work in the background.' })
export type TaskShape = z.infer<typeof TaskShape>

export const TaskList = z
  .object({
    items: z.array(TaskShape).describe(`The newest ${limits.listedTasks}, newest first.`),
  })
  .describe('Tasks of the organization; for an import key those that it queued.')

export const TasksQuery = z.object({
  includeDismissed: QueryFlag(false).describe(
    'true lists dismissed tasks, too; false when absent.',
  ),
  fetchUpdates: QueryFlag(true).describe(
    'false: as the tasks were at most a second ago; true when absent: as they are now.',
  ),
})

export type TasksQuery = z.output<typeof TasksQuery>

export const TaskUpdateBody = allowIgnoredFields(
  z.object({
    reviewed: z.boolean().nullish().describe('Marks the task, or takes the mark away.'),
    dismissed: z.boolean().nullish().describe('Marks the task, or takes the mark away.'),
    cancelled: z.boolean().nullish().describe('true ends it; what it has done stays done.'),
    confirmed: z.boolean().nullish().describe('true: a waiting task goes on.'),
  }),
  Object.keys(TaskShape.shape),
).refine(
  (update) => Object.values(update).some((value) => value !== null && value !== undefined),
  'name at least one of reviewed, dismissed, cancelled and confirmed',
)
export type TaskUpdate = z.output<typeof TaskUpdateBody>
