import type { estypes } from '@elastic/elasticsearch'
import type { Language } from '../../languages/language.ts'
import { editsBetween } from '../../platform/closest-name.ts'
import {
  CATALOG_PREFIX,
  catalogWord,
  misspeltForms,
  singular,
} from '../../products/catalog-words.ts'
import { fold } from '../../text.ts'
import type { Alternative } from './alternative.ts'
import { type InTurn, keyOf, mostUseful, type Synonyms } from './synonyms.ts'
import { type Understanding, withAlternatives } from './understanding.ts'
import { distinct, hasDigit, type Word } from './words.ts'

/** Words of the catalog that each typed word may mean, the likeliest first. */
export type Corrections = ReadonlyMap<Word, readonly string[]>

/** Maximum number of edits: letters that are wrong, missing, extra or swapped. */
const mistakesIn = (word: string): number => {
  const { length } = [...word]
  return length < 4 ? 0 : length < 8 ? 1 : 2
}

/** The forms of a word to correct; none with digits, whose neighbors are other products. */
const misspellingsOf = ({ text, form, measures }: Word, language: Language): string[] =>
  measures || hasDigit(form)
    ? []
    : misspeltForms(text, language).filter((word) => mistakesIn(word) > 0)

/** Number of closest words that are requested. */
const CLOSE_WORDS = 8
/** The number if the caller sees only some products, and the total, as each word is counted. */
const CLOSE_WORDS_OF_ALL = 32
const COUNTED_WORDS = 256

/** Suggests corrections however many products have the word. */
const EVEN_IF_KNOWN = { suggest_mode: 'always', max_term_freq: 1e9 } as const

const suggestionName = (word: number, form: number): string => `word${word}-${form}`

/** Requests similar words of a catalog for the words that it does not have, or for all. */
export function suggestionsFor(
  { words, language }: Understanding,
  scope: string,
  { evenIfKnown = false } = {},
): estypes.SearchSuggester | undefined {
  const forms = distinct(words).flatMap((word, index) =>
    misspellingsOf(word, language).map((form, at) => ({ name: suggestionName(index, at), form })),
  )
  const most = Math.min(CLOSE_WORDS_OF_ALL, Math.floor(COUNTED_WORDS / forms.length))
  const size = evenIfKnown ? Math.max(CLOSE_WORDS, most) : CLOSE_WORDS
  const asked = forms.map(({ name, form }) => [
    name,
    {
      text: catalogWord(scope, form),
      term: {
        field: 'search.words',
        analyzer: 'keyword',
        ...(evenIfKnown ? EVEN_IF_KNOWN : { suggest_mode: 'missing' as const }),
        prefix_length: CATALOG_PREFIX,
        max_edits: mistakesIn(form),
        size,
        shard_size: size,
      },
    },
  ])
  return asked.length === 0 ? undefined : Object.fromEntries(asked)
}

interface SuggestedWord {
  readonly text: string
  readonly freq: number
}

/** Picks corrections from the suggestions: those with the fewest edits, then the most frequent. */
export function correctionsIn(
  suggest: estypes.SearchResponse<unknown>['suggest'],
  { words, without, synonyms, language }: Understanding,
): Corrections {
  const corrections = new Map<Word, readonly string[]>()
  if (without?.has('spelling')) return corrections
  const room = { letters: COMPARED_LETTERS }
  for (const [index, word] of distinct(words).entries()) {
    const forms = misspellingsOf(word, language)
    const options = forms.flatMap((form, at) =>
      optionsIn(suggest?.[suggestionName(index, at)]).map(({ text, freq }) => {
        const suggested = text.slice(CATALOG_PREFIX)
        return { text: suggested, freq, distance: editsBetween(form, suggested) }
      }),
    )
    if (options.length === 0) {
      const known = forms.length === 0 ? undefined : closestSynonym(forms[0]!, synonyms, room)
      if (known !== undefined) corrections.set(word, [known])
      continue
    }
    // An English plural is not a mistake if the catalog has its singular.
    const plain = fold(word.text)
    const single = language === 'en' ? singular(plain) : plain
    if (options.some(({ text }) => text === single)) continue
    const least = Math.min(...options.map(({ distance }) => distance))
    const closest = options.filter(({ distance }) => distance === least)
    closest.sort((a, b) => b.freq - a.freq || (a.text < b.text ? -1 : 1))
    corrections.set(word, [...new Set(closest.map(({ text }) => text))].slice(0, MOST_CORRECTIONS))
  }
  return areCredible(corrections, distinct(words)) ? corrections : new Map()
}

const MOST_CORRECTIONS = 3

/** If every word needs a correction, those must keep their first letters to be credible. */
const areCredible = (corrections: Corrections, words: readonly Word[]): boolean =>
  words.length < 2 ||
  words.some((word) => !corrections.has(word)) ||
  words.every((word) => corrections.get(word)![0]![0] === word.form[0])

/** Letters of the unknown words of a search that are compared with synonyms: 3 ms at most. */
const COMPARED_LETTERS = 40_000
/** Number of synonyms that are compared with a word, the catalog's own first. */
const COMPARED_SYNONYMS = 2_000

/**
 * The closest word with synonyms; undefined if the form has synonyms itself. Takes the letters that
 * are compared from `room`, and ends when none are left.
 */
function closestSynonym(
  form: string,
  { of, words }: Synonyms,
  room: { letters: number },
): string | undefined {
  if (of(form).length > 0 || of(singular(form)).length > 0) return undefined
  const most = mistakesIn(form)
  let closest: string | undefined
  let least = most + 1
  for (const word of words.slice(0, COMPARED_SYNONYMS)) {
    if (Math.abs(word.length - form.length) >= least) continue
    room.letters -= form.length
    if (room.letters < 0) break
    const edits = editsBetween(form, word, least - 1)
    if (edits < least) [closest, least] = [word, edits]
    if (least <= 1) break
  }
  return closest
}

function optionsIn(suggestion: unknown): readonly SuggestedWord[] {
  const [first] = (suggestion ?? []) as { options?: SuggestedWord[] }[]
  return first?.options ?? []
}

/** Adds corrections and their synonyms as alternatives. */
export function withCorrections(asked: Understanding, corrections: Corrections): Understanding {
  const spelt: Alternative[] = []
  const called: InTurn<Alternative>[] = []
  for (const [word, texts] of corrections) {
    // A repeated word has a single clause.
    const at = asked.words.indexOf(word)
    for (const text of texts) {
      const meant = { first: at, last: at, isGuess: text[0] !== word.form[0] }
      spelt.push({ ...meant, text, kind: 'spelling' })
      for (const [turn, other] of asked.synonyms.of(keyOf(text)).entries()) {
        called.push({ ...meant, text: other, kind: 'synonym', turn })
      }
    }
  }
  if (spelt.length === 0) return asked
  return withAlternatives(asked, [...spelt, ...mostUseful(called)])
}

/** The text with corrected words, except those that were dropped; undefined if none was. */
export function correctedText(
  text: string,
  corrections: Corrections,
  dropped: ReadonlySet<Word>,
): string | undefined {
  const used = [...corrections].filter(([word]) => !dropped.has(word))
  if (used.length === 0) return undefined
  return used.reduce((corrected, [word, [to]]) => corrected.replaceAll(word.text, () => to!), text)
}
