import { randomUUID } from 'node:crypto'
import type { estypes } from '@elastic/elasticsearch'
import { afterAll, describe, expect, test } from 'vitest'
import { testClient, tokensOf } from './analyze.ts'

type Row = readonly [name: string, definition: unknown, text: string, tokens: string]

/** Each token filter by its name alone, and with settings other than the defaults. */
const FILTERS: readonly Row[] = [
  ['lowercase', 'lowercase', 'ÄB Cd', 'äb cd'],
  ['lowercase', { type: 'lowercase', language: 'turkish' }, 'IĞNE', 'ığne'],
  ['asciifolding', 'asciifolding', 'Bücher Æon', 'Bucher AEon'],
  ['asciifolding', { type: 'asciifolding', preserve_original: true }, 'Bücher', 'Bucher|Bücher'],
  ['edge_ngram', 'edge_ngram', 'abc', 'a'],
  ['edge_ngram', { type: 'edge_ngram' }, 'abc', 'a|ab'],
  ['edge_ngram', { type: 'edge_ngram', min_gram: 2, max_gram: 3 }, 'abcd', 'ab|abc'],
  [
    'edge_ngram',
    { type: 'edge_ngram', min_gram: 2, max_gram: 2, preserve_original: true },
    'abcd',
    'ab|abcd',
  ],
  ['ngram', 'ngram', 'abc', 'a|ab|b|bc|c'],
  ['ngram', { type: 'ngram', min_gram: 2, max_gram: 3 }, 'abcd', 'ab|abc|bc|bcd|cd'],
  [
    'ngram',
    { type: 'ngram', min_gram: 2, max_gram: 2, preserve_original: true },
    'abc',
    'ab|bc|abc',
  ],
  [
    'word_delimiter_graph',
    'word_delimiter_graph',
    "Wi-Fi 500X PowerShot O'Neil's",
    'Wi Fi 500 X Power Shot O Neil',
  ],
  [
    'word_delimiter_graph',
    { type: 'word_delimiter_graph', catenate_all: true },
    'TN-24B',
    'TN24B:3|TN 24 B',
  ],
  [
    'word_delimiter_graph',
    { type: 'word_delimiter_graph', catenate_words: true, catenate_numbers: true },
    'wi-fi-50-42',
    'wifi:2|wi fi 5042:2|50 42',
  ],
  [
    'word_delimiter_graph',
    {
      type: 'word_delimiter_graph',
      split_on_case_change: false,
      split_on_numerics: false,
      stem_english_possessive: false,
    },
    "PowerShot j2se Neil's",
    'PowerShot j2se Neil s',
  ],
  [
    'word_delimiter_graph',
    { type: 'word_delimiter_graph', generate_word_parts: false, preserve_original: true },
    'ab-12',
    'ab-12|12',
  ],
  [
    'word_delimiter_graph',
    { type: 'word_delimiter_graph', generate_number_parts: false, protected_words: ['c-3'] },
    'a-1 c-3',
    'a c-3',
  ],
  [
    'word_delimiter_graph',
    { type: 'word_delimiter_graph', type_table: ['- => ALPHA', '\\u002b => DIGIT'] },
    'a-b+1',
    'a-b +1',
  ],
  ['stemmer', 'stemmer', 'cables running', 'cabl run'],
  ['stemmer', { type: 'stemmer', language: 'minimal_english' }, 'cables running', 'cable running'],
  ['stemmer', { type: 'stemmer', name: 'light_german' }, 'häuser', 'haus'],
  [
    'pattern_replace',
    { type: 'pattern_replace', pattern: '[^a-z]', replacement: '' },
    'a-1b',
    'ab',
  ],
  [
    'pattern_replace',
    {
      type: 'pattern_replace',
      pattern: 'A',
      flags: 'CASE_INSENSITIVE',
      replacement: 'x',
      all: false,
    },
    'aab',
    'xab',
  ],
  ['keyword_repeat', 'keyword_repeat', 'ab', 'ab|ab'],
  ['unique', 'unique', 'a b a', 'a b'],
  ['unique', { type: 'unique', only_on_same_position: true }, 'a b a', 'a b a'],
  ['truncate', 'truncate', 'abcdefghijkl', 'abcdefghij'],
  ['truncate', { type: 'truncate', length: 3 }, 'abcd', 'abc'],
  ['flatten_graph', 'flatten_graph', 'a b', 'a b'],
  ['length', 'length', 'a bb', 'a bb'],
  ['length', { type: 'length', min: 2, max: 2 }, 'a bb ccc', '_ bb'],
  ['remove_duplicates', 'remove_duplicates', 'a a', 'a a'],
  ['reverse', 'reverse', 'abc', 'cba'],
  ['limit', 'limit', 'a b', 'a'],
  ['limit', { type: 'limit', max_token_count: 2, consume_all_tokens: true }, 'a b c', 'a b'],
  ['trim', 'trim', 'a', 'a'],
]

/** Filters that depend on what another one did before them. */
const CHAINS: readonly (readonly [string, estypes.AnalysisTokenFilter[], string, string])[] = [
  [
    'keyword_marker',
    [{ type: 'keyword_marker', keywords: ['Cats'], ignore_case: true }, 'stemmer'],
    'cats dogs',
    'cats dog',
  ],
  [
    'keyword_marker',
    [{ type: 'keyword_marker', keywords_pattern: '.*ts' }, 'stemmer'],
    'cats dogs',
    'cats dog',
  ],
  [
    'stemmer_override',
    [{ type: 'stemmer_override', rules: ['mice, rats => rodent'] }, 'stemmer'],
    'mice rats dogs',
    'rodent rodent dog',
  ],
  [
    'remove_duplicates',
    ['keyword_repeat', 'stemmer', 'remove_duplicates'],
    'cats dog',
    'cats|cat dog',
  ],
  [
    'unique',
    ['keyword_repeat', 'stemmer', { type: 'unique', only_on_same_position: true }],
    'cats dog',
    'cats|cat dog',
  ],
  [
    'flatten_graph',
    [{ type: 'word_delimiter_graph', catenate_all: true }, 'flatten_graph'],
    'TN-24B x',
    'TN24B:3|TN 24 B x',
  ],
  [
    'word_delimiter_graph',
    [
      { type: 'keyword_marker', keywords: ['a-b'] },
      { type: 'word_delimiter_graph', ignore_keywords: true },
    ],
    'a-b c-d',
    'a-b c d',
  ],
]

const TOKENIZERS: readonly Row[] = [
  ['keyword', 'keyword', 'Ab-1 c', 'Ab-1 c'],
  ['keyword', { type: 'keyword', buffer_size: 16 }, 'Ab-1 c', 'Ab-1 c'],
  ['whitespace', 'whitespace', 'Ab-1 c', 'Ab-1 c'],
  ['whitespace', { type: 'whitespace', max_token_length: 2 }, 'abc', 'ab c'],
  ['letter', 'letter', 'Ab-1 c', 'Ab c'],
  ['pattern', 'pattern', 'Ab-1 c', 'Ab 1 c'],
  ['pattern', { type: 'pattern', pattern: ',' }, 'a b,c', 'a b c'],
  ['pattern', { type: 'pattern', pattern: '"(.*?)"', group: 1 }, '"a b" c "d"', 'a b d'],
  ['ngram', 'ngram', 'abc', 'a ab b bc c'],
  ['ngram', { type: 'ngram', min_gram: 3, max_gram: 3 }, 'abcd', 'abc bcd'],
  ['ngram', { type: 'ngram', min_gram: 2, max_gram: 2, token_chars: ['letter'] }, 'ab1cd', 'ab cd'],
  ['edge_ngram', 'edge_ngram', 'abc', 'a ab'],
  [
    'edge_ngram',
    {
      type: 'edge_ngram',
      min_gram: 1,
      max_gram: 3,
      token_chars: ['letter', 'custom'],
      custom_token_chars: '-',
    },
    'a-b 12',
    'a a- a-b',
  ],
  ['char_group', 'char_group', 'a b', 'a b'],
  [
    'char_group',
    { type: 'char_group', tokenize_on_chars: ['whitespace', '-', '\\n'] },
    'a-b c\nd',
    'a b c d',
  ],
  [
    'char_group',
    { type: 'char_group', tokenize_on_chars: ['punctuation', 'symbol', 'digit'] },
    'a+b.c1d',
    'a b c d',
  ],
  [
    'char_group',
    { type: 'char_group', tokenize_on_chars: ['letter'], max_token_length: 2 },
    '12a345',
    '12 34 5',
  ],
]

const CHAR_FILTERS: readonly Row[] = [
  [
    'mapping',
    { type: 'mapping', mappings: ['½ => 1/2', '\\u2013 => -', 'ab =>'] },
    '½–abc',
    '1/2-c',
  ],
  [
    'pattern_replace',
    { type: 'pattern_replace', pattern: '(\\d)-', replacement: '$1' },
    '1-2',
    '12',
  ],
  [
    'pattern_replace',
    { type: 'pattern_replace', pattern: 'x', flags: 'CASE_INSENSITIVE' },
    'aXb',
    'ab',
  ],
  ['html_strip', 'html_strip', '<i>a</i>&amp;b', 'a&b'],
  ['html_strip', { type: 'html_strip', escaped_tags: ['i'] }, '<i>a</i>', '<i>a</i>'],
]

const client = testClient()
const title = '%s %j: %s'

describe('analysis components produce the documented tokens', () => {
  afterAll(() => client.close())

  test.each(FILTERS)(`token filter ${title}`, async (_, filter, text, tokens) => {
    const request = { tokenizer: 'whitespace', filter: [filter], text }
    expect(await tokensOf(client, request as estypes.IndicesAnalyzeRequest)).toBe(tokens)
  })

  test.each(CHAINS)(`token filter ${title}`, async (_, filter, text, tokens) => {
    expect(await tokensOf(client, { tokenizer: 'whitespace', filter, text })).toBe(tokens)
  })

  test.each(TOKENIZERS)(`tokenizer ${title}`, async (_, tokenizer, text, tokens) => {
    const request = { tokenizer, text }
    expect(await tokensOf(client, request as estypes.IndicesAnalyzeRequest)).toBe(tokens)
  })

  test.each(CHAR_FILTERS)(`char filter ${title}`, async (_, filter, text, tokens) => {
    const request = { tokenizer: 'keyword', char_filter: [filter], text }
    expect(await tokensOf(client, request as estypes.IndicesAnalyzeRequest)).toBe(tokens)
  })

  test('trim removes only the outer spaces of a keyword', async () => {
    const request = { tokenizer: 'keyword', filter: ['trim'], text: '  a b ' }
    expect(await tokensOf(client, request)).toBe('a b')
  })

  test('a normalizer accepts normalizing filters and refuses others', async () => {
    const index = `test-normalizers-${randomUUID()}`
    const analysis = (filter: string[]): estypes.IndicesCreateRequest => ({
      index,
      settings: {
        number_of_replicas: 0,
        analysis: {
          char_filter: {
            dashes: { type: 'mapping', mappings: ['- =>'] },
            dots: { type: 'pattern_replace', pattern: '\\.' },
          },
          filter: { zeros: { type: 'pattern_replace', pattern: '^0+' } },
          normalizer: { own: { type: 'custom', char_filter: ['dashes', 'dots'], filter } },
        },
      },
    })
    await expect(client.indices.create(analysis(['reverse']))).rejects.toThrow('may not use filter')
    await client.indices.create(analysis(['trim', 'lowercase', 'asciifolding', 'zeros']))
    try {
      const request = { index, normalizer: 'own', text: ' 00É-1.B ' }
      expect(await tokensOf(client, request)).toBe('e1b')
    } finally {
      await client.indices.delete({ index })
    }
  })

  test('n-grams respect the index setting for their size', async () => {
    const filter = [{ type: 'ngram', min_gram: 1, max_gram: 4 } as const]
    await expect(tokensOf(client, { tokenizer: 'keyword', filter, text: 'a' })).rejects.toThrow(
      'index.max_ngram_diff',
    )
  })
})
