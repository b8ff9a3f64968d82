import type { ColumnTally } from '../formats/format.ts'
import { limits } from '../limits.ts'
import { retryUntilCancelled } from '../tasks/backoff.ts'
import {
  noRowCounts,
  type Outcome,
  type Progress,
  type RowCounts,
  type TaskRunContext,
} from '../tasks/task.ts'
import type { ImportCheckpoint } from './checkpoint.ts'
import type { ListedProducts } from './full-file/listed-products.ts'
import type { Rejects } from './rejects.ts'
import { sum, summaryOf, type Tally } from './tally.ts'
import type { Naming } from './writing/resolver.ts'

/** The result of a batch, reported in the order of the file. */
interface Committed extends Tally {
  /** Rejected rows whose product is not known. */
  readonly unknown: number
  /** Rows whose stock is taken for 0. */
  readonly belowZero: number
  /** Rows of the file up to the end of the batch. */
  readonly rows: number
  readonly position: number
  readonly naming: Naming
  readonly columnValues?: readonly number[] | undefined
}

export type ImportReport = ReturnType<typeof createImportReport>

interface ReportParts {
  readonly rejects: Rejects
  readonly notes: readonly string[]
  readonly listed?: ListedProducts | undefined
  /** Unpacked bytes of the file. */
  readonly bytes: number
  /** Of a table. */
  readonly columns?: ColumnTally | undefined
  readonly checkpoint: ImportCheckpoint
}

const ALMOST = 99.9
const NO_ROWS = 'The file has no rows.'

/** Each row is one of them. */
const ROW_RESULTS = ['created', 'updated', 'unchanged', 'rejected'] as const

/** What the task tells its user, during the import and at its end. */
export function createImportReport(run: TaskRunContext) {
  const begun = run.task.checkpoint as ImportCheckpoint | null
  const { metrics } = run.ctx
  let parts: ReportParts | undefined
  let checkpoint = begun
  let notes: readonly string[] = begun?.notes ?? []
  let counts: RowCounts = run.task.counts
  let { rejectsFile } = run.task
  let isListed = false

  const messageOf = (texts: readonly (string | undefined)[]): string =>
    [...texts, summaryOf(counts), ...notes].filter(Boolean).join(' ')

  /** Keeps the list of rejected rows, once. */
  async function keepList(): Promise<string | null> {
    if (!parts || isListed) return rejectsFile
    run.hold()
    rejectsFile = await parts.rejects.finish()
    isListed = true
    return rejectsFile
  }

  /** What became of the columns, and what to look at. */
  function fileSaid(): Pick<Progress, 'columns' | 'warnings'> {
    const { columns } = parts ?? {}
    const { belowZero = 0 } = checkpoint ?? {}
    const own = [
      ...(belowZero > 0 ? [`Rows with a stock below 0, which is taken for 0: ${belowZero}.`] : []),
      ...(notes.includes(NO_ROWS) ? [NO_ROWS] : []),
    ]
    if (!columns) return own.length > 0 ? { warnings: own } : {}
    const values = checkpoint?.columnValues ?? []
    const said = columns.uses.slice(0, limits.listedColumns)
    return {
      columns: said.map((use) => ({ ...use, values: values[use.column] ?? 0 })),
      warnings: [...columns.warnings, ...own],
    }
  }

  /** A file that was read to its end. */
  function noteEmpty(): void {
    if (checkpoint?.rows === 0) notes = [...notes, NO_ROWS]
  }

  async function giveWay(message = 'Cancelled.'): Promise<Outcome> {
    // The task ends also when the list cannot be stored.
    await keepList().catch(() => null)
    return { status: 'cancelled', message: messageOf([message]), rejectsFile, checkpoint: null }
  }

  return {
    begin(given: ReportParts): void {
      parts = given
      notes = [...given.notes, ...(given.columns?.warnings ?? [])]
      checkpoint = given.checkpoint
      if (checkpoint.rows === 0) counts = noRowCounts
      run.progress({ checkpoint, counts, message: 'Importing.' })
    },
    commit({ counts: more, belowZero, unknown, ...upTo }: Committed): void {
      const { rejects, listed, bytes } = parts!
      counts = sum(counts, more)
      for (const result of ROW_RESULTS) metrics.importedRows.inc({ result }, more[result])
      const { rows, position, naming, columnValues } = upTo
      const percent = Math.floor((1000 * position) / Math.max(1, bytes)) / 10
      checkpoint = {
        ...checkpoint!,
        rows,
        naming,
        ...(columnValues ? { columnValues } : {}),
        ...(belowZero > 0 ? { belowZero: (checkpoint!.belowZero ?? 0) + belowZero } : {}),
        rejects: rejects.state(),
        ...(listed
          ? { listed: listed.state(), unknown: (checkpoint!.unknown ?? 0) + unknown }
          : {}),
      }
      run.progress({
        counts,
        percentCompleted: Math.max(run.task.percentCompleted, Math.min(ALMOST, percent)),
        checkpoint,
      })
    },
    /** Stores that all rows are read, and the list of rejected ones; the removal continues from here. */
    async allRead() {
      noteEmpty()
      const list = await retryUntilCancelled(run.isCancelled, keepList)
      checkpoint = { ...checkpoint!, read: true, notes, rejects: parts!.rejects.state() }
      run.progress({ checkpoint, rejectsFile: list, ...fileSaid() })
      return { counts, checkpoint }
    },
    async end(status: 'completed' | 'failed', message?: string): Promise<Outcome> {
      if (status === 'completed') noteEmpty()
      const list = await retryUntilCancelled(run.isCancelled, keepList)
      return {
        ...{ status, message: messageOf([message]), rejectsFile: list, checkpoint: null },
        ...fileSaid(),
      }
    },
    /** The import was told to give way, or its catalog is gone. */
    giveWay: async (message?: string): Promise<Outcome> =>
      message === undefined && run.goesOnLater() ? { status: 'stopped' } : giveWay(message),
  }
}
