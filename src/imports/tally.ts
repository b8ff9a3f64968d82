import { BadRow } from '../formats/rows/mapped-row.ts'
import type { RejectedRow } from '../formats/worker/messages.ts'
import type { RowCounts } from '../tasks/task.ts'
import type { RowOutcome } from './writing/apply-rows.ts'
import type { ProductRows } from './writing/product-rows.ts'

/** The results of a batch. */
export interface Tally {
  readonly counts: RowCounts
  /** In the order of the file. */
  readonly rejected: readonly RejectedRow[]
}

/** Sums up a batch. */
export function tallyOf(
  outcomes: ReadonlyMap<ProductRows, readonly RowOutcome[]>,
  unread: readonly RejectedRow[],
): Tally {
  const rejected = [...unread]
  const counts = { created: 0, updated: 0, unchanged: 0 }
  let deleted = 0
  for (const [{ rows }, results] of outcomes) {
    for (const [at, outcome] of results.entries()) {
      const { line, number } = rows[at]!
      if (outcome instanceof BadRow) rejected.push({ line, number, reason: outcome.message })
      else counts[outcome === 'deleted' || outcome === 'hidden' ? 'updated' : outcome]++
      if (outcome === 'deleted') deleted++
    }
  }
  const { created, updated, unchanged } = counts
  const processed = created + updated + unchanged + rejected.length
  rejected.sort((a, b) => a.number - b.number)
  return { counts: { processed, ...counts, rejected: rejected.length, ...some(deleted) }, rejected }
}

export const sum = (a: RowCounts, b: RowCounts): RowCounts => ({
  processed: a.processed + b.processed,
  created: a.created + b.created,
  updated: a.updated + b.updated,
  unchanged: a.unchanged + b.unchanged,
  rejected: a.rejected + b.rejected,
  ...some((a.deleted ?? 0) + (b.deleted ?? 0)),
})

const some = (deleted: number) => (deleted === 0 ? {} : { deleted })

/** `1,200 rows: 1,000 created, …`. */
export function summaryOf(counts: RowCounts): string {
  const { processed, created, updated, unchanged, rejected, deleted = 0 } = counts
  const text = (count: number) => count.toLocaleString('en-US')
  const rows = `${text(processed)} ${processed === 1 ? 'row' : 'rows'}`
  return `${rows}: ${text(created)} created, ${text(updated)} updated${deleted > 0 ? ` (${text(deleted)} deleted)` : ''}, ${text(unchanged)} unchanged, ${text(rejected)} rejected.`
}

/** A warning about names in rows that products do not have. */
export const ignoredText = (names: readonly string[]): string =>
  `Ignored, since products do not have them: ${names.join(', ')}. A line of jsonl has its prices in vendors and other values in attributes; a csv file may have any columns.`
