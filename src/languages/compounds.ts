import { COMPOUND_WORDS, type CompoundWords } from './compound-words.ts'
import type { Language } from './language.ts'

/** Endings of plurals and other inflected forms of the last part. */
const ENDINGS = ['', 'e', 'n', 's', 'en', 'er', 'ern', 'es']
/** Linking elements between the parts. */
const LINKS = ['', 's', 'n', 'e', 'en', 'es', 'er']

const SHORTEST_PART = 3
/** An unknown first part needs a head and a modifier of at least this many letters. */
const UNKNOWN = { head: 6, modifier: 4 } as const
const LONGEST = 40

/** Whether compounds of a language are split. */
export const hasCompounds = (language: Language): boolean => COMPOUND_WORDS[language] !== undefined

/**
 * The parts of a folded compound as the word spells them (`kuchen` in `kuchenmaschine`). Shorter
 * compounds within it come first. Empty for other words: `messer` is not a part of `durchmesser`.
 */
export function compoundParts(word: string, language: Language): string[] {
  const words = COMPOUND_WORDS[language]
  if (!words || word.length > LONGEST || !/^\p{L}+$/u.test(word)) return []
  const parts = partsOf(word, words)
  if (parts.length < 2) return []
  return [...compoundsIn(word, words).filter((part) => !parts.includes(part)), ...parts]
}

/**
 * What a folded compound is for, and what it is: `motorrad` and `helm` for `motorradhelm`.
 * Undefined for other words.
 */
export function splitCompound(word: string, language: Language): [string, string] | undefined {
  const head = compoundParts(word, language).at(-1)
  return head === undefined ? undefined : [word.slice(0, -head.length), head]
}

/** Shorter compounds at the end of a compound: `bohrmaschine` in `schlagbohrmaschine`. */
function compoundsIn(word: string, words: CompoundWords): string[] {
  const ends = Array.from(word, (_, at) => at).slice(SHORTEST_PART)
  return ends
    .filter((at) => isKnown(word.slice(0, at), words))
    .map((at) => word.slice(at))
    .filter((rest) => partsOf(rest, words).length > 1)
}

function partsOf(word: string, words: CompoundWords): string[] {
  if (words.others.has(word) || words.heads.has(word)) return [word]
  for (let at = SHORTEST_PART; at <= word.length - SHORTEST_PART; at++) {
    const head = word.slice(at)
    const modifier = word.slice(0, at)
    if (isHead(head, words) && isModifier(modifier, head, words)) {
      return [...partsOf(modifier, words), head]
    }
  }
  return [word]
}

const isHead = (text: string, { heads }: CompoundWords): boolean =>
  without(text, ENDINGS).some((form) => heads.has(form))

const isKnown = (text: string, { heads, modifiers }: CompoundWords): boolean =>
  without(text, LINKS).some((form) => modifiers.has(form) || heads.has(form))

function isModifier(text: string, head: string, words: CompoundWords): boolean {
  if (words.others.has(text)) return false
  if (isKnown(text, words)) return true
  const isLong = head.length >= UNKNOWN.head && text.length >= UNKNOWN.modifier
  return isLong && /[aeiouy]/.test(text)
}

/** The text without each of the ends that it has. */
const without = (text: string, ends: readonly string[]): string[] =>
  ends.filter((end) => text.endsWith(end)).map((end) => text.slice(0, text.length - end.length))
