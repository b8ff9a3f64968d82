import { hash } from 'node:crypto'
import { grammarOf, withoutArticle } from '../languages/grammar.ts'
import { DEFAULT_LANGUAGE, type Language } from '../languages/language.ts'
import { limits } from '../limits.ts'
import { fold, token } from '../text.ts'

/** Shorter words match exactly only; comparing longer ones costs too much. */
const SHORTEST = 3
const LONGEST = 32

/** Folds texts, up to `limits.comparedLength` characters, since folding can make texts longer. */
export function foldedTexts(texts: Iterable<string>): string[] {
  const all: string[] = []
  let left = limits.comparedLength
  for (const text of texts) {
    const folded = fold(text)
    all.push(folded.slice(0, left))
    left -= folded.length
    if (left <= 0) break
  }
  return all
}

/**
 * The words of texts for spelling correction: folded, without digits, words of several parts
 * (`wi-fi`) also joined, English plurals also in the singular. At most `limits.productWords`.
 */
export function comparedWords(
  texts: Iterable<string>,
  language: Language = DEFAULT_LANGUAGE,
): string[] {
  const grammar = grammarOf(language)
  const words = new Set<string>()
  for (const text of foldedTexts(texts)) {
    for (const typed of text.split(' ')) {
      if (words.size >= limits.productWords) return [...words]
      const word = withoutArticle(typed, grammar)
      // A fast path: most words have only letters, and an import reads a lot of them.
      if (PLAIN.test(word)) addForms(words, word, language)
      else for (const part of partsOf(word)) addForms(words, part, language)
    }
  }
  return [...words]
}

function addForms(words: Set<string>, word: string, language: Language): void {
  if (isCompared(word)) words.add(word)
  const single = language === 'en' ? singular(word) : word
  if (single !== word && isCompared(single)) words.add(single)
}

/** The forms of a typed word to correct: the word itself and its English singular. */
export function misspeltForms(word: string, language: Language = DEFAULT_LANGUAGE): string[] {
  const typed = fold(word).replace(/[^\p{L}]+/gu, '')
  const forms = new Set<string>()
  addForms(forms, typed, language)
  return [...forms]
}

const PLAIN = /^[a-z]+$/

/** The runs of letters in a word and, if it has no digit, all of them joined. */
function partsOf(typed: string): string[] {
  const parts = typed.match(/\p{L}+/gu) ?? []
  return parts.length > 1 && !/\p{N}/u.test(typed) ? [...parts, parts.join('')] : parts
}

const isCompared = (word: string): boolean => {
  // A letter is one or two UTF-16 code units.
  if (word.length >= 2 * SHORTEST && word.length <= LONGEST) return true
  if (word.length < SHORTEST || word.length > 2 * LONGEST) return false
  const { length } = [...word]
  return length >= SHORTEST && length <= LONGEST
}

/** Like the analyzers: batteries → battery, cables → cable, but glass and bus stay. */
export function singular(word: string): string {
  if (!word.endsWith('s') || word.length < SHORTEST + 1) return word
  if (/(?:ch|sh|ss|x|zz)es$/.test(word)) return word.slice(0, -2)
  if (/(?<![ae])ies$/.test(word)) return `${word.slice(0, -3)}y`
  return /[^su]s$/.test(word) && !/[aeo]es$/.test(word) ? word.slice(0, -1) : word
}

const TAG_LENGTH = 12

/** The beginning of a catalog's terms in the index, within which prefixes and fuzzy matching stay. */
export const catalogTag = (scope: string): string =>
  token(hash('sha256', scope, 'base64url').slice(0, TAG_LENGTH), '')

/** The index term for a word of a catalog. */
export const catalogWord = (scope: string, word: string): string => catalogTag(scope) + word

/** Number of characters in a `catalogTag`. */
export const CATALOG_PREFIX = TAG_LENGTH + 1

/** The keyword fields whose terms begin with the catalog's tag, besides `search.words`. */
export const TAGGED_FIELDS: ReadonlySet<string> = new Set(
  [
    'nameSort',
    'roles',
    'partNumbers',
    'catalogNumbers',
    'manufacturerPartNumber',
    'manufacturerPartNumber.begin',
    'unspsc',
  ].map((field) => `search.${field}`),
)
