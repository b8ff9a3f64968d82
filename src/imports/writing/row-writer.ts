import { v7 as uuidv7 } from 'uuid'
import { BadRow } from '../../formats/rows/mapped-row.ts'
import type { ChangeStamp } from '../../products/next-document.ts'
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
  /** The source in the change log, by default an import. */
  readonly source?: ChangeEntry['source']
  /** The way in which rows of the file are assembled, by which marks count rows. */
  readonly reading?: string | undefined
}

/** The stamp of a change. Its id is a getter, since most rows leave no log entry and need none. */
export const stampAt = (now: Date, by: Pick<ChangeStamp, 'actor' | 'source'>): ChangeStamp => ({
  get entryId() {
    return uuidv7({ msecs: now.getTime() })
  },
  ...by,
})

/** Writes the rows of a task. Each product is marked with its rows. */
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
  const writer = createBulkWriter<ProductRows, RowOutcome>(run, {
    scope,
    expectNew,
    *apply(group, existing, now) {
      if (!expectNew) unchanged.lookClosely(group)
      const rows = group.changes()
      const applied = yield* applyRows(group.id, existing, rows, {
        ...options,
        marking: {
          task: mark,
          fence: task.lease?.fence ?? 0,
          kept: (run.storedCheckpoint() as ImportCheckpoint | null)?.rows ?? 0,
          numbers: group.rows.map(({ number }) => number),
        },
        catalog: scope.name,
        organization: ctx.organization.id,
        stamp: stampAt(now, { actor: ctx.caller.username, source }),
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
        /** Like the writer's `write`, but skips products whose rows would change nothing. */
        async write(groups: readonly ProductRows[], pause?: () => Promise<void>) {
          const known = await unchanged.among(groups)
          const outcomes = await writing.write(
            groups.filter((group) => !known.has(group)),
            pause,
          )
          for (const group of known) outcomes.set(group, group.rows.map(unchangedRow))
          return outcomes
        },
      }
    },
  }
}

const unchangedRow = (): RowOutcome => 'unchanged'
