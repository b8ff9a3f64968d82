import { v7 as uuidv7 } from 'uuid'
import { BadRow } from '../../formats/rows/mapped-row.ts'
import type { ChangeEntry } from '../../products/product.ts'
import type { TaskRunContext } from '../../tasks/task.ts'
import type { ImportCheckpoint } from '../checkpoint.ts'
import { type ApplyOptions, applyRows, type RowOutcome } from './apply-rows.ts'
import { pointsOfImport } from './insights.ts'
import type { ProductRows } from './product-rows.ts'
import { withRowDigest } from './row-digest.ts'
import { createUnchangedProducts } from './unchanged-products.ts'
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
  { source = 'import', reading, expectNew: given, ...options }: RowWriterOptions,
) {
  const { ctx, task } = run
  const { scope, updateMetadata } = options
  const expectNew = given && options.createProducts
  const mark = reading === undefined ? task.id : `${task.id} ${reading}`
  const digested = { task: mark, updateMetadata }
  const unchanged = createUnchangedProducts(run, { ...digested, scope })
  /** Most rows of a file leave no entry: an id is made for those that do. */
  const stampAt = (now: Date) => ({
    get entryId() {
      return uuidv7({ msecs: now.getTime() })
    },
    actor: ctx.caller.username,
    source,
  })
  const writer = createBulkWriter<ProductRows, RowOutcome>(run, {
    scope,
    expectNew,
    apply(group, existing, now) {
      if (!expectNew) unchanged.lookClosely(group)
      const rows = group.changes()
      const applied = applyRows(group.id, existing, rows, {
        ...options,
        marking: {
          task: mark,
          fence: task.lease?.fence ?? 0,
          kept: (run.kept() as ImportCheckpoint | null)?.rows ?? 0,
          numbers: group.numbers,
        },
        catalog: scope.name,
        organization: ctx.organization.id,
        stamp: stampAt(now),
        now,
      })
      return withRowDigest(applied, existing, rows, digested)
    },
    points: (before, after) => pointsOfImport(ctx, before, after),
    refused: ({ rows }, reason) => rows.map(() => new BadRow(reason)),
  })
  return {
    ...writer,
    begin() {
      const writing = writer.begin()
      if (expectNew) return writing
      return {
        ...writing,
        /** As the writer's; what is known to change nothing is not read. */
        async write(groups: readonly ProductRows[]) {
          const known = await unchanged.among(groups)
          const outcomes = await writing.write(groups.filter((group) => !known.has(group)))
          for (const group of known) outcomes.set(group, group.rows.map(unchangedRow))
          return outcomes
        },
      }
    },
  }
}

const unchangedRow = (): RowOutcome => 'unchanged'
