import type { ColumnUse } from '../formats/rows/column-uses.ts'
import type { FileBatch } from '../formats/worker/messages.ts'
import { limits } from '../limits.ts'
import { defined } from '../platform/defined.ts'
import { retryUntilCancelled } from '../tasks/backoff.ts'
import { percentOf } from '../tasks/progress.ts'
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
import { ignoredText, sum, summaryOf, type Tally } from './tally.ts'
import type { Naming } from './writing/resolver.ts'

/** The result of a batch. Batches are reported in the order of the file. */
interface Committed extends Tally {
  /** Rejected rows whose product is not known. */
  readonly unknown: number
  /** Number of rows with a negative stock, which is stored as 0. */
  readonly belowZero: number
  /** Number of rows up to the end of the batch. */
  readonly rows: number
  readonly position: number
  readonly naming: Naming
  readonly columnValues?: readonly number[] | undefined
}

type RowRemarks = Pick<FileBatch, 'warnings' | 'ignored'>

export type ImportReport = ReturnType<typeof createImportReport>

interface ReportParts {
  readonly rejects: Rejects
  readonly notes: readonly string[]
  readonly listed?: ListedProducts | undefined
  /** Unpacked bytes of the file. */
  readonly bytes: number
  /** The use of the columns, if the file is a table. */
  readonly uses?: readonly ColumnUse[] | undefined
  /** Warnings about the file before its rows are read. */
  readonly warnings: readonly string[]
  readonly checkpoint: ImportCheckpoint
}

const NO_ROWS = 'The file has no rows.'

/** The result of each row is one of these. */
const ROW_RESULTS = ['created', 'updated', 'unchanged', 'rejected'] as const

/** Ends a reason that is a sentence only in a longer message. */
const sentence = (text = ''): string => (text === '' || /[.!?…]$/.test(text) ? text : `${text}.`)

/** Reports progress and the end of an import to its user. */
export function createImportReport(run: TaskRunContext) {
  const begun = run.task.checkpoint as ImportCheckpoint | null
  const { metrics } = run.ctx
  let parts: ReportParts | undefined
  let checkpoint = begun
  let notes: readonly string[] = begun?.notes ?? []
  let counts: RowCounts = run.task.counts
  let { rejectsFile } = run.task
  let isListed = false
  let remarks: RowRemarks = { warnings: [] }

  const messageOf = (texts: readonly (string | undefined)[]): string =>
    [...texts.map(sentence), summaryOf(counts), ...notes].filter(Boolean).join(' ')

  /** Stores the list of rejected rows, once. */
  async function storeRejects(): Promise<string | null> {
    if (!parts || isListed) return rejectsFile
    run.assertLease()
    rejectsFile = await parts.rejects.finish()
    isListed = true
    return rejectsFile
  }

  /** The use of the columns, and warnings about the file. */
  function fileReport(): Pick<Progress, 'columns' | 'warnings'> {
    const { uses } = parts ?? {}
    const { belowZero = 0 } = checkpoint ?? {}
    const { warnings, ignored = [] } = remarks
    const own = [
      ...(ignored.length > 0 ? [ignoredText(ignored)] : []),
      ...(belowZero > 0 ? [`Rows with a stock below 0, imported as 0: ${belowZero}.`] : []),
      ...(notes.includes(NO_ROWS) ? [NO_ROWS] : []),
    ]
    if (!uses) return own.length > 0 ? { warnings: own } : {}
    const values = checkpoint?.columnValues ?? []
    const listed = uses.slice(0, limits.listedColumns)
    return {
      columns: listed.map((use) => ({ ...use, values: values[use.column] ?? 0 })),
      warnings: [...warnings, ...own],
    }
  }

  /** Notes that the file was read to its end and has no rows. */
  function noteEmpty(): void {
    if (checkpoint?.rows === 0) notes = [...notes, NO_ROWS]
  }

  return {
    begin(given: ReportParts): void {
      parts = given
      notes = [...given.notes, ...given.warnings]
      remarks = { warnings: given.warnings }
      checkpoint = given.checkpoint
      if (checkpoint.rows === 0) counts = noRowCounts
      run.progress({ checkpoint, counts, message: 'Importing.' })
    },
    /** Notes what was found in the rows read so far. */
    seen({ warnings, ignored }: RowRemarks): void {
      // Not the batch itself, whose rows would stay in memory.
      remarks = { warnings, ...defined({ ignored }) }
    },
    commit({ counts: more, belowZero, unknown, ...upTo }: Committed): void {
      const { rejects, listed, bytes } = parts!
      counts = sum(counts, more)
      for (const result of ROW_RESULTS) metrics.importedRows.inc({ result }, more[result])
      const { rows, position, naming, columnValues } = upTo
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
        percentCompleted: percentOf(position, bytes, run.task.percentCompleted),
        checkpoint,
      })
    },
    /**
     * Stores that all rows are read, and the list of rejected ones. The removal of offers resumes
     * from here.
     */
    async allRead() {
      noteEmpty()
      const list = await retryUntilCancelled(run.isCancelled, storeRejects)
      checkpoint = { ...checkpoint!, read: true, notes, rejects: parts!.rejects.state() }
      run.progress({ checkpoint, rejectsFile: list, ...fileReport() })
      return { counts, checkpoint }
    },
    async end(status: 'completed' | 'failed', message?: string): Promise<Outcome> {
      if (status === 'completed') noteEmpty()
      const list = await retryUntilCancelled(run.isCancelled, storeRejects)
      return {
        ...{ status, message: messageOf([message]), rejectsFile: list },
        ...fileReport(),
      }
    },
    /** Ends or pauses an import that was interrupted or whose catalog is gone. */
    async giveWay(why?: string): Promise<Outcome> {
      if (why === undefined && run.resumesLater()) return { status: 'stopped' }
      // The task ends even if the list cannot be stored.
      await storeRejects().catch(() => null)
      const message = messageOf([why ?? 'Cancelled.'])
      return { status: 'cancelled', message, rejectsFile }
    },
  }
}
