import type { ImportMark } from '../../products/product.ts'

/** The run of an import that applies rows. */
export interface Marking {
  readonly task: string
  readonly fence: number
  /** Number of rows that a stored checkpoint covers, which are not read again. */
  readonly kept: number
}

/** The result of a row in an earlier run of the import; undefined if it was not reached. */
export function outcomeBefore(
  mark: ImportMark | undefined,
  { task }: Marking,
  row: number,
): 'created' | 'updated' | 'unchanged' | undefined {
  if (mark?.task !== task || row > mark.row) return undefined
  if (mark.created === row) return 'created'
  return mark.updated?.includes(row) ? 'updated' : 'unchanged'
}

/** The mark of a product after these rows, with one outcome each. */
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
