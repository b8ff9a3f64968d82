import type { Criteria } from '../criteria.ts'
import type { Mode } from '../cursor.ts'
import type { Corrections } from './spelling.ts'
import { type StepName, type Understanding, understand } from './understanding.ts'

/** How the words of a search are read: as they are, or fewer of them and misspelt ones. */
export interface Reading {
  readonly mode: Mode
  /** Undefined when there are no words. */
  readonly asked: Understanding | undefined
  readonly corrections: Corrections
}

export const NO_WORDS: Reading = { mode: 'strict', asked: undefined, corrections: new Map() }

/** The words of a request as they are; `without` leaves out steps of understanding. */
export function readingOf(
  { keywords, typing }: Pick<Criteria, 'keywords' | 'typing'>,
  without?: ReadonlySet<StepName>,
): Reading {
  const asked = understand(keywords ?? '', { typing, without })
  return asked.words.length === 0 ? NO_WORDS : { ...NO_WORDS, asked }
}
