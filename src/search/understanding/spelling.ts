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
import { type InTurn, keyOf, mostUseful, type Synonyms } from './synonyms.ts'
import { type Alternative, type Understanding, withAlternatives } from './understanding.ts'
import { distinct, hasDigit, type Word } from './words.ts'

/** Words of a catalog that a typed one may mean, the likeliest first, by the typed one. */
export type Corrections = ReadonlyMap<Word, readonly string[]>

/** How many letters may be wrong, missing, too many or in the wrong order. */
const mistakesIn = (word: string): number => {
  const { length } = [...word]
  return length < 4 ? 0 : length < 8 ? 1 : 2
}

/** What a word may be misspelt of; never one with a digit, since its neighbours are other products. */
const misspellingsOf = ({ text, form, measures }: Word, language: Language): string[] =>
  measures || hasDigit(form)
    ? []
    : misspeltForms(text, language).filter((word) => mistakesIn(word) > 0)

/** How many words are looked at, the closest. */
const CLOSE_WORDS = 8
/** More where some are not there for the caller, in few words: each is counted among what is. */
const CLOSE_WORDS_OF_ALL = 32
const COUNTED_WORDS = 256

/** However many products have the word. */
const EVEN_IF_KNOWN = { suggest_mode: 'always', max_term_freq: 1e9 } as const

const suggestionName = (word: number, form: number): string => `word${word}-${form}`

/** Asks for like words of this catalog, of each word that the catalog does not have, or of all. */
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

/** The corrections among what was suggested: the fewest letters changed, then the commonest. */
export function correctionsIn(
  suggest: estypes.SearchResponse<unknown>['suggest'],
  { words, without, synonyms, language }: Understanding,
): Corrections {
  const corrections = new Map<Word, readonly string[]>()
  if (without?.has('spelling')) return corrections
  for (const [index, word] of distinct(words).entries()) {
    const forms = misspellingsOf(word, language)
    const options = forms.flatMap((form, at) =>
      optionsIn(suggest?.[suggestionName(index, at)]).map(({ text, freq }) => {
        const suggested = text.slice(CATALOG_PREFIX)
        return { text: suggested, freq, distance: editsBetween(form, suggested) }
      }),
    )
    if (options.length === 0) {
      const known = forms.length === 0 ? undefined : closestSynonym(forms[0]!, synonyms)
      if (known !== undefined) corrections.set(word, [known])
      continue
    }
    // An English plural whose singular the catalog has is no mistake.
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

/** Where no word is right, one that begins with another letter is a guess. */
const areCredible = (corrections: Corrections, words: readonly Word[]): boolean =>
  words.length < 2 ||
  words.some((word) => !corrections.has(word)) ||
  words.every((word) => corrections.get(word)![0]![0] === word.form[0])

/** As many are compared with a word, a shop's own first. */
const COMPARED_SYNONYMS = 2_000

/** A word that says what the catalog calls otherwise; one that is right is none. */
function closestSynonym(form: string, { of, words }: Synonyms): string | undefined {
  if (of(form).length > 0 || of(singular(form)).length > 0) return undefined
  const most = mistakesIn(form)
  let closest: string | undefined
  let least = most + 1
  for (const word of words.slice(0, COMPARED_SYNONYMS)) {
    if (Math.abs(word.length - form.length) >= least) continue
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

/** With the words that its own may be misspelt of, and what these are also called. */
export function withCorrections(asked: Understanding, corrections: Corrections): Understanding {
  const spelt: Alternative[] = []
  const called: InTurn<Alternative>[] = []
  for (const [word, texts] of corrections) {
    // A word that comes again is one clause.
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

/** The text with its words corrected, but for those that no product has; undefined: nothing was. */
export function correctedText(
  text: string,
  corrections: Corrections,
  dropped: ReadonlySet<Word>,
): string | undefined {
  const used = [...corrections].filter(([word]) => !dropped.has(word))
  if (used.length === 0) return undefined
  return used.reduce((corrected, [word, [to]]) => corrected.replaceAll(word.text, () => to!), text)
}
