import { bucketsIn } from '../elastic/answer-parts.ts'
import { prefixPattern } from '../elastic/patterns.ts'
import type { SearchAnswer, SearchBody } from '../elastic/search.ts'
import { limits } from '../limits.ts'
import { type QuickKind, quickPrefix } from '../products/search-fields.ts'
import { firstBytes } from '../products/short-value.ts'
import { fold, normalisePartNumber, SEPARATOR } from '../text.ts'

const FIELD = 'search.quick'
const NUMBER = 'search.manufacturerPartNumber'

/**
 * Finds manufacturers and categories, sorted by frequency, then by text. Of a text that begins
 * those of more products than `quicksearchProducts`, only so many products are counted.
 */
export function quickNamesBody(text: string): SearchBody {
  const kinds: readonly QuickKind[] = ['m', 'c']
  const prefixes = kinds.map((kind) => [kind, quickPrefix(kind, firstBytes(fold(text)))] as const)
  return {
    size: 0,
    track_total_hits: false,
    terminate_after: limits.quicksearchProducts,
    query: {
      bool: {
        should: prefixes.map(([, prefix]) => ({ prefix: { [FIELD]: prefix } })),
        minimum_should_match: 1,
      },
    },
    aggs: Object.fromEntries(
      prefixes.map(([kind, prefix]) => [
        kind,
        {
          terms: {
            field: FIELD,
            include: prefixPattern(prefix),
            size: limits.quicksearchValues,
            order: [{ _count: 'desc' }, { _key: 'asc' }],
          },
        },
      ]),
    ),
  }
}

/**
 * Finds part numbers, sorted by text. They are hits instead of buckets, since Elasticsearch lists
 * all distinct values of a field before it counts any. Undefined for a text without letters and
 * digits.
 */
export function quickNumbersBody(text: string): SearchBody | undefined {
  const number = firstBytes(normalisePartNumber(text))
  if (number === '') return undefined
  return {
    size: limits.quicksearchValues,
    track_total_hits: false,
    _source: false,
    query: { prefix: { [`${NUMBER}.begin`]: number } },
    collapse: { field: NUMBER },
    sort: [{ [NUMBER]: 'asc' }],
  }
}

const shownText = (term: string): string => term.slice(term.lastIndexOf(SEPARATOR) + 1)

type QuickAnswer = SearchAnswer<unknown> | undefined

/** The three lists of QuicksearchResponse; empty without an answer. */
export function readQuicksearch(names: QuickAnswer, numbers: QuickAnswer) {
  const shown = (kind: QuickKind): string[] =>
    bucketsIn(names ?? {}, kind).map(({ key }) => shownText(key))
  return {
    manufacturers: shown('m'),
    categories: shown('c'),
    manufacturerPartNumbers: (numbers?.hits.hits ?? []).map(({ sort }) =>
      shownText(sort![0] as string),
    ),
  }
}
