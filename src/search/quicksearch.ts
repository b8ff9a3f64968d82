import { prefixPattern } from '../elastic/patterns.ts'
import type { SearchAnswer, SearchBody } from '../elastic/search.ts'
import { limits } from '../limits.ts'
import { type QuickKind, quickPrefix } from '../products/search-fields.ts'
import { fold, normalisePartNumber, SEPARATOR } from '../text.ts'

const FIELD = 'search.quick'

/** The token prefixes for a text, without kinds that the text cannot match. */
function prefixesOf(text: string): Partial<Record<QuickKind, string>> {
  const words = bounded(fold(text))
  const partNumber = bounded(normalisePartNumber(text))
  return {
    m: quickPrefix('m', words),
    c: quickPrefix('c', words),
    ...(partNumber === '' ? {} : { p: quickPrefix('p', partNumber) }),
  }
}

// Folding can make a text many times longer, and patterns have a maximum length.
const bounded = (text: string): string => [...text].slice(0, limits.nameLength).join('')

/**
 * One request for all three lists, each sorted by frequency, then by text. Of a text that begins a
 * word of more products than `quicksearchProducts`, only so many are counted.
 */
export function quicksearchBody(text: string): SearchBody {
  const prefixes = Object.entries(prefixesOf(text))
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

/** The three lists of QuicksearchResponse; empty without an answer. */
export function readQuicksearch(answer: SearchAnswer<unknown> | undefined) {
  const { aggregations } = answer ?? {}
  const shown = (kind: QuickKind): string[] => {
    const list = aggregations?.[kind] as { buckets?: readonly { key: string }[] } | undefined
    return (list?.buckets ?? []).map(({ key }) => key.slice(key.lastIndexOf(SEPARATOR) + 1))
  }
  return { manufacturers: shown('m'), categories: shown('c'), manufacturerPartNumbers: shown('p') }
}
