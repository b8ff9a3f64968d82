import type { z } from 'zod'
import { problemText } from '../platform/validation-problem.ts'

/** An invalid entry of a list, whose other entries are processed all the same. */
export class RefusedEntry {
  readonly reason: string

  constructor(reason: string) {
    this.reason = reason
  }
}

/** A schema for entries of a list that are answered one by one, including invalid ones. */
export const tolerantEntry = <S extends z.ZodType>(schema: S, name: string) =>
  // The documentation calls it without a value, and then shows no default.
  schema.catch(
    (found) => (found && new RefusedEntry(problemText(found.error, name))) as never,
  ) as unknown as z.ZodType<z.output<S> | RefusedEntry>
