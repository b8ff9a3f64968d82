import { describe, expect, test } from 'vitest'
import { highlightOf } from '../../../src/search/highlight.ts'
import { NO_WORDS } from '../../../src/search/understanding/reading.ts'
import { understand } from '../../../src/search/understanding/understanding.ts'

const marked = (keywords: string, correction?: string) => {
  const asked = understand(keywords)
  const corrections = new Map(correction ? [[asked.words[0]!, [correction]]] : [])
  return highlightOf({ ...NO_WORDS, asked, corrections }).fields as Record<string, object>
}

describe('a highlight query', () => {
  test('contains only the words, each once', () => {
    expect(marked('Black (toner) black AB-12')).toMatchObject({
      'search.name': {
        number_of_fragments: 0,
        highlight_query: { match: { 'search.name': expect.stringContaining('Black toner AB-12') } },
      },
      'search.description': { number_of_fragments: 3, fragment_size: 150 },
    })
  })

  test('contains corrections and synonyms of a word', () => {
    expect(marked('cordles', 'cordless')).toMatchObject({
      'search.name': { highlight_query: { match: { 'search.name': 'cordles cordless' } } },
    })
    expect(marked('laptop')).toMatchObject({
      'search.description': {
        highlight_query: { match: { 'search.description': 'laptop notebook' } },
      },
    })
  })
})
