import { hash } from 'node:crypto'
import { limits } from '../limits.ts'
import { fold, token } from '../text.ts'

/** Shorter words are found as they are typed; longer ones cost too much to compare. */
const SHORTEST = 3
const LONGEST = 32

/**
 * The words of some texts as they are compared letter by letter: folded, without digits, a word of
 * several parts (`wi-fi`) also as one, a plural also as its singular. The first
 * `limits.productWords` of them.
 */
export function comparedWords(texts: Iterable<string>): string[] {
  const words = new Set<string>()
  for (const text of texts) {
    for (const typed of fold(text).split(' ')) {
      if (words.size >= limits.productWords) return [...words]
      for (const form of formsOf(typed)) if (isCompared(form)) words.add(form)
    }
  }
  return [...words]
}

/** What a typed word may be a misspelling of, when that is one word: itself and its singular. */
export function misspeltForms(word: string): string[] {
  const typed = fold(word).replace(/[^\p{L}]+/gu, '')
  return [...new Set([typed, singular(typed)])].filter(isCompared)
}

function formsOf(typed: string): string[] {
  const parts = typed.match(/\p{L}+/gu) ?? []
  const whole = parts.length > 1 && !/\p{N}/u.test(typed) ? [parts.join('')] : []
  return [...parts, ...whole].flatMap((part) => [part, singular(part)])
}

const isCompared = (word: string): boolean => {
  const { length } = [...word]
  return length >= SHORTEST && length <= LONGEST
}

/** As the analyzers have it: batteries → battery, cables → cable, but glass and bus as they are. */
function singular(word: string): string {
  if (!word.endsWith('s') || word.length < SHORTEST + 1) return word
  if (/(?<![ae])ies$/.test(word)) return `${word.slice(0, -3)}y`
  return /[^su]s$/.test(word) && !/[aeo]es$/.test(word) ? word.slice(0, -1) : word
}

const TAG_LENGTH = 12

/** What words of a catalog begin with in the index, so that looking for like ones stays within it. */
export const catalogTag = (scope: string): string =>
  hash('sha256', scope, 'base64url').slice(0, TAG_LENGTH)

/** A word of one catalog as the index has it. */
export const catalogWord = (scope: string, word: string): string => token(catalogTag(scope), word)

/** Characters before the word itself. */
export const CATALOG_PREFIX = TAG_LENGTH + 1
