import { splitCompound } from '../../languages/compounds.ts'
import type { Language } from '../../languages/language.ts'
import type { Alternative } from './alternative.ts'
import { folded } from './function-words.ts'
import { hasDigit, type Word } from './words.ts'

const JOINED = { part: 2, whole: 5 } as const
const SPLIT = { part: 3, whole: 7 } as const
/** Longer texts are not words. */
const LONGEST = 32
/** Long texts are usually titles copied from a catalog, which need few alternatives. */
const MOST_ALTERNATIVES = 24

/**
 * Joins and splits words, since `head set` may be one word and `lightbulb` two. The parts of a
 * compound that the language knows may also be apart.
 */
export function compoundAlternatives(words: readonly Word[], language: Language): Alternative[] {
  const found: Alternative[] = []
  for (const [first, word] of words.entries()) {
    const text = folded(word)
    if (word.measures || hasDigit(text) || text.length > LONGEST) continue
    const next = words[first + 1]
    if (next && next !== word && mayBeJoined(text, folded(next))) {
      found.push({ first, last: first + 1, text: text + folded(next), kind: 'compound' })
    }
    if (text.length < SPLIT.whole || words.indexOf(word) < first) continue
    found.push(...splitAt(first, text, language))
  }
  return found.slice(0, MOST_ALTERNATIVES)
}

const mayBeJoined = (first: string, second: string): boolean =>
  !hasDigit(second) &&
  Math.min(first.length, second.length) >= JOINED.part &&
  first.length + second.length >= JOINED.whole &&
  second.length <= LONGEST

/** The word split in two at each letter, and before that as the language knows it. */
function splitAt(place: number, text: string, language: Language): Alternative[] {
  const at = { first: place, last: place, kind: 'compound' } as const
  const parts = splitCompound(text, language)
  const places = Array.from({ length: text.length - 2 * SPLIT.part + 1 }, (_, n) => n + SPLIT.part)
  return [
    ...(parts ? [{ ...at, text: parts.join(' '), isNonAdjacent: true }] : []),
    ...places.map((letter) => ({ ...at, text: `${text.slice(0, letter)} ${text.slice(letter)}` })),
  ]
}
