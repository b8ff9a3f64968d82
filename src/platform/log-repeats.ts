import { limits } from '../limits.ts'

/** Writes one line of the log. */
type WriteLine = (counted: { repeated: number }) => void

interface RepeatCount {
  count: number
  /** Writes a line like the last one. */
  write: WriteLine
}

/**
 * Keeps repeated lines from filling the log: the first line of a kind is written at once; repeats
 * during `everyMs` become one line with their number. Kinds beyond `kinds` count as one.
 */
export function createRepeatFilter({
  everyMs = limits.logRepeatMs as number,
  kinds = limits.loggedKinds as number,
} = {}) {
  const open = new Map<string, RepeatCount>()

  function tell(counted: RepeatCount): void {
    const { count } = counted
    counted.count = 0
    if (count > 0) counted.write({ repeated: count })
  }

  /** A kind without a repeat during one whole period is forgotten. */
  function endTime(kind: string, counted: RepeatCount): void {
    if (counted.count === 0) open.delete(kind)
    else {
      tell(counted)
      setTimeout(endTime, everyMs, kind, counted).unref()
    }
  }

  return {
    /** Whether to write a line of this kind now; if not, it is counted. */
    isFirst(given: string, write: WriteLine): boolean {
      const kind = open.has(given) || open.size < kinds ? given : 'others'
      const known = open.get(kind)
      if (known) {
        known.count += 1
        known.write = write
        return false
      }
      const counted = { count: 0, write }
      open.set(kind, counted)
      setTimeout(endTime, everyMs, kind, counted).unref()
      return true
    },
    /** Writes the counts. */
    flush(): void {
      for (const counted of open.values()) tell(counted)
    },
  }
}

/** The common part of failures of one kind: no text that varies between requests. */
export function kindOf(message: string | undefined, bindings: Record<string, unknown>): string {
  const { name, operation, err } = bindings
  return JSON.stringify([message, name, operation, ...errorKind(err)])
}

/** Name, code and location of an error and its cause, which identify it without its values. */
function errorKind(error: unknown): unknown[] {
  if (!(error instanceof Error)) return []
  const { code, statusCode } = error as { code?: unknown; statusCode?: unknown }
  const place = /\n +(at .*)/.exec(error.stack ?? '')?.[1]
  const cause = error.cause === error ? undefined : error.cause
  return [error.name, code, statusCode, place, ...errorKind(cause)]
}
