import { describe, expect, test } from 'vitest'
import { defaultCriteria } from '../../../src/search/criteria.ts'
import { highlightOf } from '../../../src/search/highlight.ts'

const asked = (keywords: string, mode: 'strict' | 'relaxed') =>
  highlightOf({ ...defaultCriteria, keywords }, mode).fields as Record<string, object>

describe('what is highlighted', () => {
  test('is looked for by the words alone, each once', () => {
    expect(asked('Black (toner) black AB-12', 'strict')).toEqual({
      'search.name': {
        number_of_fragments: 0,
        highlight_query: { bool: { should: [{ match: { 'search.name': 'Black toner AB-12' } }] } },
      },
      'search.description': {
        number_of_fragments: 3,
        fragment_size: 150,
        highlight_query: { match: { 'search.description': 'Black toner AB-12' } },
      },
    })
  })

  test('may be misspelt in the name where fewer words are looked for', () => {
    expect(asked('tonner 12', 'relaxed')).toMatchObject({
      'search.name': {
        highlight_query: {
          bool: {
            should: [
              { match: { 'search.name': 'tonner 12' } },
              { fuzzy: { 'search.name': { value: 'tonner', fuzziness: 1, prefix_length: 1 } } },
            ],
          },
        },
      },
      'search.description': { highlight_query: { match: { 'search.description': 'tonner 12' } } },
    })
  })

  test('costs no more than some likenesses: on large pages words are marked as they were typed', () => {
    const keywords = Array.from({ length: 11 }, (_, at) => `tonner${'abcdefghijk'[at]}`).join(' ')
    expect(JSON.stringify(asked(keywords, 'relaxed'))).not.toContain('fuzzy')
  })
})
