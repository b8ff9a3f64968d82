import { v7 as uuidv7 } from 'uuid'
import { BadRow } from '../../formats/rows/mapped-row.ts'
import type { ChangeEntry } from '../../products/product.ts'
import type { TaskRunContext } from '../../tasks/task.ts'
import type { ImportCheckpoint } from '../checkpoint.ts'
import { type ApplyOptions, applyRows, type RowOutcome } from './apply-rows.ts'
import { pointsOfImport } from './insights.ts'
import type { ProductRows } from './product-rows.ts'
import { createBulkWriter, type WriterOptions } from './writer.ts'

export type RowWriter = ReturnType<typeof createRowWriter>

interface RowWriterOptions
  extends Pick<ApplyOptions, 'createProducts' | 'updateMetadata'>,
    Pick<WriterOptions<ProductRows, RowOutcome>, 'scope' | 'expectNew'> {
  /** What the change log says; an import when absent. */
  readonly source?: ChangeEntry['source']
  /** How rows of the file are put together: numbers of rows in marks are of rows so made. */
  readonly reading?: string | undefined
}

/** Writes the rows of a task; each product is marked with those that it has. */
export function createRowWriter(
  run: TaskRunContext,
  { source = 'import', reading, expectNew, ...options }: RowWriterOptions,
) {
  const { ctx, task } = run
  const { scope } = options
  /** Most rows of a file leave no entry: an id is made for those that do. */
  const stampAt = (now: Date) => ({
    get entryId() {
      return uuidv7({ msecs: now.getTime() })
    },
    actor: ctx.caller.username,
    source,
  })
  return createBulkWriter<ProductRows, RowOutcome>(run, {
    scope,
    expectNew: expectNew && options.createProducts,
    apply: (group, existing, now) =>
      applyRows(group.id, existing, group.changes(), {
        ...options,
        marking: {
          task: reading === undefined ? task.id : `${task.id} ${reading}`,
          fence: task.lease?.fence ?? 0,
          kept: (run.kept() as ImportCheckpoint | null)?.rows ?? 0,
          numbers: group.numbers,
        },
        catalog: scope.name,
        organization: ctx.organization.id,
        stamp: stampAt(now),
        now,
      }),
    points: (before, after) => pointsOfImport(ctx, before, after),
    refused: ({ rows }, reason) => rows.map(() => new BadRow(reason)),
  })
}
