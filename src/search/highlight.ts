import type { estypes } from '@elastic/elasticsearch'
import type { Query } from '../elastic/search.ts'
import { limits } from '../limits.ts'
import type { Criteria } from './criteria.ts'
import type { Mode } from './cursor.ts'
import { distinct, misspellings, type Word, wordsOf } from './keywords.ts'

const NAME = 'search.name'
const DESCRIPTION = 'search.description'

/**
 * Marks the words in name and description. It looks for them alone: whatever else a search looks at
 * would be tried on every text of the page. Pure.
 */
export function highlightOf({ keywords, size }: Criteria, mode: Mode): estypes.SearchHighlight {
  const words = keywords === null ? [] : distinct(wordsOf(keywords))
  const text = words.map((word) => word.text).join(' ')
  const found = { match: { [DESCRIPTION]: text } }
  const named: Query[] = [{ match: { [NAME]: text } }]
  // Likeness is worked out anew for each text.
  const like = mode === 'relaxed' ? words.flatMap(misspelt) : []
  if (like.length * size <= limits.highlightedLike) named.push(...like)
  return {
    encoder: 'html',
    pre_tags: ['<em>'],
    post_tags: ['</em>'],
    fields: {
      [NAME]: { number_of_fragments: 0, highlight_query: { bool: { should: named } } },
      [DESCRIPTION]: { number_of_fragments: 3, fragment_size: 150, highlight_query: found },
    },
  }
}

const misspelt = (word: Word): Query[] =>
  misspellings(word).map(({ form, mistakes }) => ({
    fuzzy: { [NAME]: { value: form, fuzziness: mistakes, prefix_length: 1 } },
  }))
