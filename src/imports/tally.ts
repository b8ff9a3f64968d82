import type { Counts } from '../tasks/task.ts'
import type { Rejection } from './rows/change.ts'
import { BadRow } from './rows/csv-row.ts'
import type { RowOutcome } from './writing/apply.ts'
import type { Group } from './writing/writer.ts'

/** What became of a batch's rows. */
export interface Tally {
  readonly counts: Counts
  readonly rejections: readonly Rejection[]
}

/** Sums up a batch. Pure. */
export function tallyOf(
  outcomes: ReadonlyMap<Group, readonly RowOutcome[]>,
  rejected: readonly Rejection[],
): Tally {
  const rejections = [...rejected]
  const counts = { created: 0, updated: 0, unchanged: 0 }
  for (const [group, results] of outcomes) {
    for (const [at, outcome] of results.entries()) {
      if (outcome instanceof BadRow) rejections.push(rejectionOf(group.rows[at]!, outcome.message))
      else counts[outcome]++
    }
  }
  const { created, updated, unchanged } = counts
  const processed = created + updated + unchanged + rejections.length
  rejections.sort((a, b) => a.line - b.line)
  return { counts: { processed, ...counts, rejected: rejections.length }, rejections }
}

export const rejectionOf = ({ line, original }: Omit<Rejection, 'reason'>, reason: string) => ({
  line,
  original,
  reason,
})

export const sum = (a: Counts, b: Counts): Counts => ({
  processed: a.processed + b.processed,
  created: a.created + b.created,
  updated: a.updated + b.updated,
  unchanged: a.unchanged + b.unchanged,
  rejected: a.rejected + b.rejected,
})

/** `1,200 rows: 1,000 created, …`. */
export function summaryOf({ processed, created, updated, unchanged, rejected }: Counts): string {
  const text = (count: number) => count.toLocaleString('en-US')
  const rows = `${text(processed)} ${processed === 1 ? 'row' : 'rows'}`
  return `${rows}: ${text(created)} created, ${text(updated)} updated, ${text(unchanged)} unchanged, ${text(rejected)} rejected.`
}
