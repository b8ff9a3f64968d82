import { lineOf } from './lines.ts'
import type { ItemDocument, Line, VerdictDocument } from './workspace.ts'

// All or none: a bulk writes the new lines, each with its batch and what was there before; then one
// document, the verdict, makes all of them count at once. Until it is there, and when it says
// `dropped`, the lines before count, so a crash anywhere shows nothing of the batch.

/** A batch without a verdict after this time will never get one from its own request. */
export const BATCH_MS = 5_000

export type Verdict = VerdictDocument['verdict']

/** The line that counts, or undefined for none. Pure. */
export function countingLine(item: ItemDocument, verdict: Verdict | undefined): Line | undefined {
  if (item.batch === null || verdict === 'kept') return lineOf(item)
  return item.before ? lineOf(item.before) : undefined
}

/** The lines that count among what one search found. Pure. */
export function countingLines(found: readonly (ItemDocument | VerdictDocument)[]): Line[] {
  const verdicts = new Map(
    found.flatMap((one) => (one.kind === 'verdict' ? [[one.id, one.verdict] as const] : [])),
  )
  return found.flatMap((one) => {
    if (one.kind !== 'item') return []
    return countingLine(one, one.batch === null ? undefined : verdicts.get(one.batch)) ?? []
  })
}

/** What a batch without a verdict would add. */
export interface PendingBatch {
  readonly batch: string
  readonly added: number
  readonly since: string | null
}

/** The batches without a verdict among what one search found. Pure. */
export function pendingBatches(found: readonly (ItemDocument | VerdictDocument)[]): PendingBatch[] {
  const decided = new Set(found.flatMap((one) => (one.kind === 'verdict' ? [one.id] : [])))
  const pending = new Map<string, PendingBatch>()
  for (const one of found) {
    if (one.kind !== 'item' || one.batch === null || one.before || decided.has(one.batch)) continue
    const { batch, since } = one
    pending.set(batch, { batch, since, added: (pending.get(batch)?.added ?? 0) + 1 })
  }
  return [...pending.values()]
}

export const isAbandoned = ({ since }: Pick<ItemDocument, 'since'>, now: Date): boolean =>
  since !== null && now.getTime() - new Date(since).getTime() >= BATCH_MS
