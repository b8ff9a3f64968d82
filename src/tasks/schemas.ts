import { z } from 'zod'
import { limits } from '../limits.ts'
import { allowIgnoredFields } from '../platform/known-fields.ts'
import { NullableText, NullishBoolean, QueryFlag } from '../shapes.ts'

export const TASK_STATUSES = [
  'queued',
  'running',
  'waiting',
  'completed',
  'failed',
  'cancelled',
] as const

/** Task, with the counts of an import as additions. */
export const TaskShape = z
  .object({
    id: z.string().describe('Id of the task, as used by Update Task.'),
    status: z
      .enum(TASK_STATUSES)
      .describe(
        'Status of the task. A `waiting` task asks a question in `message` and continues when confirmed with Update Task.',
      ),
    message: z.string().describe('Progress, question or reason for the failure.'),
    source: z
      .string()
      .describe(
        'What the task works on: the file of an import, the name of an installed extension, or a catalog.',
      ),
    sourceType: z
      .string()
      .describe('Type of work: `import`, `export`, `delete`, `update`, `pictures` or `move`.'),
    createDate: z.string(),
    completed: z
      .boolean()
      .describe(
        'Whether the task has ended: its `status` is `completed`, `failed` or `cancelled`.',
      ),
    success: z.boolean().describe('Whether `status` is `completed`.'),
    reviewed: z.boolean().describe('Whether a user marked the task as reviewed with Update Task.'),
    dismissed: z
      .boolean()
      .describe(
        'Whether a user dismissed the task with Update Task. Dismissed tasks are listed only with `includeDismissed`.',
      ),
    percentCompleted: z.number().describe('Progress in percent, from 0 to 100.'),
    processed: z
      .number()
      .describe(
        'Number of import rows, exported, updated, deleted or copied products, or images processed so far.',
      ),
    created: z.number().describe('Number of rows that created a product.'),
    updated: z
      .number()
      .describe('Number of rows that updated a product, or of images that were downloaded.'),
    unchanged: z
      .number()
      .describe('Number of rows that changed nothing, or of images that were already stored.'),
    rejected: z
      .number()
      .describe('Number of rows that were rejected, or of images that could not be downloaded.'),
    removed: z.number().describe('Number of offers removed by a full file.'),
    hidden: z.number().describe('Number of products hidden by a full file.'),
    deleted: z
      .number()
      .describe(
        'Number of products deleted by rows (also counted as `updated`), by a full file or by Delete Products.',
      ),
    rejectsUrl: NullableText.describe(
      'URL of the file that lists rejected rows with line and reason, or images with reason, product and address. `null` if there are none.',
    ),
    fileUrl: NullableText.describe(
      'URL of the file created by a completed export. `null` if there is none.',
    ),
    columns: z
      .array(
        z.object({
          column: z.int().describe('Index of the column, starting at 0.'),
          heading: z.string().describe('Heading of the column, as in the file.'),
          field: NullableText.describe(
            'Field that the column filled, named as in a mapping. `null` if the column was not used.',
          ),
          attribute: NullableText.describe(
            'Name of the attribute, facet, filter or option. `null` for other fields.',
          ),
          values: z.int().describe('Number of cells that had a value.'),
        }),
      )
      .optional()
      .describe('How each column of an imported table was used. Omitted until the import ends.'),
    warnings: z
      .array(z.string())
      .optional()
      .describe('What to check although the task succeeded. Omitted if there is nothing.'),
  })
  .meta({ id: 'Task', description: 'An import, an export or another background task.' })
export type TaskShape = z.infer<typeof TaskShape>

export const TaskList = z
  .object({
    items: z.array(TaskShape).describe(`Up to ${limits.listedTasks} tasks, newest first.`),
  })
  .describe('Tasks of the organization or, for an import key, those that it queued.')

export const TasksQuery = z.object({
  includeDismissed: QueryFlag(false).describe(
    'Whether to include dismissed tasks. Defaults to `false`.',
  ),
  fetchUpdates: QueryFlag(true).describe(
    'Whether to read the current state of the tasks. If `false`, it can be up to a second old. Defaults to `true`.',
  ),
})

export type TasksQuery = z.output<typeof TasksQuery>

export const TaskUpdateBody = allowIgnoredFields(
  z.object({
    reviewed: NullishBoolean.describe('Whether the task is marked as reviewed.'),
    dismissed: NullishBoolean.describe('Whether the task is marked as dismissed.'),
    cancelled: NullishBoolean.describe(
      'If `true`, cancels the task. Work that was already done is kept.',
    ),
    confirmed: NullishBoolean.describe('If `true`, a waiting task continues.'),
    message: z
      .string()
      .max(limits.fieldValueLength)
      .nullish()
      .describe(
        'With `confirmed`, the `message` of the task that is confirmed. If the task asks something else by now, it keeps waiting, and the request returns 409.',
      ),
  }),
  Object.keys(TaskShape.shape),
).refine(
  ({ message, ...update }) =>
    Object.values(update).some((value) => value !== null && value !== undefined),
  'send at least one of reviewed, dismissed, cancelled and confirmed',
)
export type TaskUpdate = z.output<typeof TaskUpdateBody>
