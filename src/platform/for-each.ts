import type { Log } from './log.ts'

/** After this many failures the store itself counts as unavailable. */
const FAILURES = 100

export interface ForEachOptions<T> {
  /** Shown in the log. */
  readonly name: string
  readonly items: AsyncIterable<readonly T[]>
  readonly work: (item: T) => Promise<unknown>
  /** Once aborted, it ends after the current item; the next call handles the rest. */
  readonly signal?: AbortSignal | undefined
}

/** Processes all items. Failures are counted and logged, and do not stop the others. */
export async function forEach<T>(
  { log }: { readonly log: Log },
  { name, items, work, signal }: ForEachOptions<T>,
): Promise<number> {
  const errors: unknown[] = []
  let worked = 0
  const isOver = () => signal?.aborted || errors.length === FAILURES
  for await (const batch of items) {
    for (const item of batch) {
      if (isOver()) break
      await work(item).then(
        () => worked++,
        (error: unknown) => errors.push(error),
      )
    }
    if (isOver()) break
  }
  if (errors.length > 0) {
    log.warn(
      { name, left: errors.length, err: errors[0] },
      'some items failed and are retried later',
    )
  }
  return worked
}
