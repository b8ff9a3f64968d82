import type { estypes } from '@elastic/elasticsearch'
import { term } from '../../elastic/clauses.ts'
import type { SearchAnswer, SearchBody } from '../../elastic/search.ts'

type Suggest = estypes.SearchResponse<unknown>['suggest']

interface Suggested {
  readonly text: string
  readonly options: readonly { readonly text: string }[]
}

/** Words that were asked for, and those suggested for them, as the index has them. */
const wordsIn = (suggest: Suggest): string[] => {
  const entries = Object.values(suggest ?? {}).flat() as unknown as Suggested[]
  return [
    ...new Set(entries.flatMap(({ text, options }) => [text, ...options.map((one) => one.text)])),
  ]
}

const nameOf = (word: number): string => `word${word}`

/**
 * Asks which of these words products have that are there for the caller: suggestions come from all
 * products of the catalog. Undefined where nothing was suggested.
 */
export function visibleWordsBody(suggest: Suggest): SearchBody | undefined {
  const words = wordsIn(suggest)
  if (words.length === 0) return undefined
  const aggs = words.map((word, at) => [nameOf(at), { filter: term('search.words', word) }])
  return { size: 0, track_total_hits: false, aggs: Object.fromEntries(aggs) }
}

/** The suggestions by words that are there, for words that are not. */
export function visibleSuggestions(
  suggest: Suggest,
  { aggregations }: SearchAnswer<unknown>,
): Suggest {
  const isSeen = (at: number) =>
    (aggregations?.[nameOf(at)] as { doc_count: number } | undefined)?.doc_count !== 0
  const seen = new Set(wordsIn(suggest).filter((_, at) => isSeen(at)))
  const shown = ({ text, options, ...rest }: Suggested) => ({
    ...{ ...rest, text },
    options: seen.has(text) ? [] : options.filter((option) => seen.has(option.text)),
  })
  return Object.fromEntries(
    Object.entries(suggest ?? {}).map(([name, entries]) => [
      name,
      (entries as unknown as Suggested[]).map(shown),
    ]),
  ) as unknown as Suggest
}
