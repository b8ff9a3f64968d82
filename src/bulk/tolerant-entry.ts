import { z } from 'zod'
import { createPacer } from '../platform/pacer.ts'
import { problemText } from '../platform/validation-problem.ts'

/** An invalid entry of a list, whose other entries are processed all the same. */
export class RefusedEntry {
  readonly reason: string

  constructor(reason: string) {
    this.reason = reason
  }
}

/**
 * A schema for entries of a list that are answered one by one, including invalid ones. Only for
 * `parseAsync`: the entries are checked in steps, since a list may have many.
 */
export const tolerantEntry = <S extends z.ZodType>(schema: S, name: string) =>
  z.preprocess(
    createPacer(),
    // The documentation calls it without a value, and then shows no default.
    schema.catch((found) => (found && new RefusedEntry(problemText(found.error, name))) as never),
  ) as unknown as z.ZodType<z.output<S> | RefusedEntry>
