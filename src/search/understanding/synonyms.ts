import { atOnce, type Steps } from '../../platform/steps.ts'
import { singular } from '../../products/catalog-words.ts'
import { countWords, fold, withoutEnds } from '../../text.ts'
import { STARTER_GROUPS } from './starter-groups.ts'

/** The form in which words are compared: folded, without punctuation at the ends, singular. */
export const keyOf = (text: string): string =>
  fold(text)
    .split(' ')
    .map((word) => singular(withoutEnds(word, '.,:!?')))
    .join(' ')

/** A lookup of synonyms. */
export interface Synonyms {
  /** The synonyms for a `keyOf` of one or more words. They are not chained. */
  of(key: string): readonly string[]
  /** Single words that have synonyms. */
  readonly words: readonly string[]
  /** The most words in a phrase that has synonyms. */
  readonly longest: number
}

/** Bounds the clauses that synonyms add to a query, so no word has more. */
const MOST_SYNONYMS = 48

/** Words of all synonyms of a query, of whose clauses Elasticsearch allows only so many. */
const MOST_WORDS = 4 * MOST_SYNONYMS

/** A synonym with its index among those of its word. */
export type InTurn<T> = T & { readonly turn: number }

/** Limits synonyms, taking turns between the words if there are too many. */
export function mostUseful<T extends { readonly text: string }>(
  found: readonly InTurn<T>[],
): Omit<InTurn<T>, 'turn'>[] {
  const inTurns = found.length > MOST_SYNONYMS ? found.toSorted((a, b) => a.turn - b.turn) : found
  let left = MOST_WORDS
  const few = inTurns.slice(0, MOST_SYNONYMS).filter(({ text }) => {
    left -= countWords(text)
    return left >= 0
  })
  return few.map(({ turn: _, ...synonym }) => synonym)
}

/** Typed words, and the words that they also find. */
export type SynonymPair = readonly [from: readonly string[], to: readonly string[]]

/** Synonyms, and the form in which each is compared. */
interface ComparedWords {
  readonly words: readonly string[]
  readonly keys: readonly string[]
}

/** Own groups come before those of `base`. The synonyms of a word are collected on lookup. */
export function* createSynonyms(pairs: readonly SynonymPair[], base?: Synonyms): Steps<Synonyms> {
  const groups = new Map<string, readonly ComparedWords[]>()
  let longest = base?.longest ?? 0
  for (const [from, words] of pairs) {
    const to = { words, keys: words.map(keyOf) }
    const keys = from === words ? to.keys : from.map(keyOf)
    // Shared by most words of a group, and no longer than needed: large settings have 100,000 words.
    const alone = [to]
    for (const key of keys) {
      const known = groups.get(key)
      groups.set(key, known?.concat(to) ?? alone)
      longest = Math.max(longest, key.split(' ').length)
    }
    yield
  }
  const words = [...groups.keys()].filter((key) => !key.includes(' '))
  return {
    of(key) {
      const own = groups.get(key)
      if (!own) return base?.of(key) ?? []
      const others = own.flatMap(({ words, keys }) => words.filter((_, at) => keys[at] !== key))
      return [...new Set([...others, ...(base?.of(key) ?? [])])].slice(0, MOST_SYNONYMS)
    },
    words: base ? [...words, ...base.words] : words,
    longest,
  }
}

const starterPairs = STARTER_GROUPS.trim()
  .split('\n')
  .map((line): SynonymPair => {
    const [from, to] = line.split('=>').map((side) => side.split(',').map((text) => text.trim()))
    return [from!, to ?? from!]
  })

export const STARTER_SYNONYMS: Synonyms = atOnce(createSynonyms(starterPairs))
