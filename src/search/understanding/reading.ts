import type { Language } from '../../languages/language.ts'
import type { Criteria } from '../criteria.ts'
import type { Mode } from '../cursor.ts'
import { NO_TUNING, type Tuning } from '../tuning/tuning.ts'
import type { Corrections } from './spelling.ts'
import { withoutPhrases } from './stop-phrases.ts'
import { type Understanding, type UnderstandingOptions, understand } from './understanding.ts'

/** How the words of a search are read: as they are, or fewer of them with corrections. */
export interface Reading {
  readonly mode: Mode
  /** Undefined if there are no words. */
  readonly asked: Understanding | undefined
  readonly corrections: Corrections
}

export const NO_WORDS: Reading = { mode: 'strict', asked: undefined, corrections: new Map() }

interface ReadingOptions extends Pick<UnderstandingOptions, 'without'> {
  /** The language of the catalog. */
  readonly language: Language
  readonly tuning?: Pick<Tuning, 'synonyms' | 'stopPhrases' | 'ranking'> | undefined
}

/** The strict reading of a request. `without` skips steps of understanding. */
export function readingOf(
  { keywords, typing }: Pick<Criteria, 'keywords' | 'typing'>,
  { language, without, tuning = NO_TUNING }: ReadingOptions,
): Reading {
  const { synonyms, stopPhrases, ranking } = tuning
  const wanted = withoutPhrases(keywords ?? '', stopPhrases, typing)
  const asked = understand(wanted, { typing, without, language, synonyms, fields: ranking.fields })
  return asked.words.length === 0 ? NO_WORDS : { ...NO_WORDS, asked }
}
