import type { estypes } from '@elastic/elasticsearch'
import { countIn } from '../../elastic/answer-parts.ts'
import { term } from '../../elastic/clauses.ts'
import type { SearchAnswer, SearchBody } from '../../elastic/search.ts'
import { suggestionsFor } from './spelling.ts'
import type { Understanding } from './understanding.ts'

// Suggestions come from all products of a catalog. If the caller sees only some, a suggestion or
// its absence must not reveal the others. Each shard of a catalog suggests separately, so one may
// suggest corrections for a word that another one has.

type Suggest = estypes.SearchResponse<unknown>['suggest']

interface Suggested {
  readonly text: string
  readonly options: readonly { readonly text: string }[]
}

/** Requests similar words for all words. Which ones are visible is checked afterwards. */
export function wordsLikeBody(asked: Understanding, scope: string): SearchBody | undefined {
  const suggest = suggestionsFor(asked, scope, { evenIfKnown: true })
  return suggest && { size: 0, track_total_hits: false, query: { match_none: {} }, suggest }
}

/** The words of the request and their suggestions, as index terms. */
const wordsIn = (suggest: Suggest): string[] => {
  const entries = Object.values(suggest ?? {}).flat() as unknown as Suggested[]
  return [
    ...new Set(entries.flatMap(({ text, options }) => [text, ...options.map((one) => one.text)])),
  ]
}

const nameOf = (word: number): string => `word${word}`

/** Counts these words among visible products; undefined if there are none. */
export function visibleWordsBody(suggest: Suggest): SearchBody | undefined {
  const words = wordsIn(suggest)
  if (words.length === 0) return undefined
  const aggs = words.map((word, at) => [nameOf(at), { filter: term('search.words', word) }])
  return { size: 0, track_total_hits: false, aggs: Object.fromEntries(aggs) }
}

/** Suggestions of visible words for words that are not visible, with visible frequencies. */
export function visibleSuggestions(suggest: Suggest, answer: SearchAnswer<unknown>): Suggest {
  const counts = new Map(
    wordsIn(suggest).map((word, at) => [word, countIn(answer, nameOf(at))] as const),
  )
  const seenIn = (options: Suggested['options']) =>
    options
      .map((option) => ({ ...option, freq: counts.get(option.text)! }))
      .filter(({ freq }) => freq > 0)
  const shown = ({ text, options, ...rest }: Suggested) => ({
    ...{ ...rest, text },
    options: counts.get(text)! > 0 ? [] : seenIn(options),
  })
  return Object.fromEntries(
    Object.entries(suggest ?? {}).map(([name, entries]) => [
      name,
      (entries as unknown as Suggested[]).map(shown),
    ]),
  ) as unknown as Suggest
}
