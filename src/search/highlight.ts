import type { estypes } from '@elastic/elasticsearch'
import type { Query } from '../elastic/search.ts'
import { DEFAULT_LANGUAGE, textField } from '../languages/language.ts'
import type { Reading } from './understanding/reading.ts'
import { withCorrections } from './understanding/spelling.ts'
import { requiredWords } from './understanding/understanding.ts'

/**
 * Highlights the words in name and description. Uses its own query, since otherwise all clauses of
 * the search would run on every text of the page.
 */
export function highlightOf({ asked, corrections }: Reading): estypes.SearchHighlight {
  const language = asked?.language ?? DEFAULT_LANGUAGE
  const name = textField(language, 'name')
  const description = textField(language, 'description')
  const read = asked && withCorrections(asked, corrections)
  const texts = [
    ...(read ? requiredWords(read) : []),
    ...(read?.alternatives ?? []).filter(({ kind }) => kind !== 'compound'),
  ].map(({ text }) => text)
  const marked = (field: string): Query => ({ match: { [field]: [...new Set(texts)].join(' ') } })
  return {
    encoder: 'html',
    pre_tags: ['<em>'],
    post_tags: ['</em>'],
    fields: {
      [name]: { number_of_fragments: 0, highlight_query: marked(name) },
      [description]: {
        number_of_fragments: 3,
        fragment_size: 150,
        highlight_query: marked(description),
      },
    },
  }
}
