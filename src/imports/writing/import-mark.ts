import type { ImportMark } from '../../products/product.ts'

/** Which run of which import applies rows. */
export interface Marking {
  readonly task: string
  readonly fence: number
  /** Rows of the file that a stored checkpoint covers, which are not read again. */
  readonly kept: number
}

/** What an earlier run of the import did with a row; undefined when it did not reach it. */
export function outcomeBefore(
  mark: ImportMark | undefined,
  { task }: Marking,
  row: number,
): 'created' | 'updated' | 'unchanged' | undefined {
  if (mark?.task !== task || row > mark.row) return undefined
  if (mark.created === row) return 'created'
  return mark.updated?.includes(row) ? 'updated' : 'unchanged'
}

/** The mark of a product to which these rows were applied, one outcome each. */
export function markAfter(
  before: ImportMark | undefined,
  { task, fence, kept }: Marking,
  { numbers, outcomes }: { numbers: readonly number[]; outcomes: readonly unknown[] },
): ImportMark {
  const own = before?.task === task ? before : undefined
  const known = new Set(own?.updated?.filter((row) => row > kept))
  let created = own?.created !== undefined && own.created > kept ? own.created : undefined
  for (const [at, outcome] of outcomes.entries()) {
    if (outcome === 'created') created = numbers[at]!
    if (outcome === 'updated') known.add(numbers[at]!)
  }
  return {
    task,
    fence,
    row: Math.max(own?.row ?? 0, numbers.at(-1)!),
    ...(created === undefined ? {} : { created }),
    ...(known.size === 0 ? {} : { updated: [...known] }),
  }
}
