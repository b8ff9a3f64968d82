import { describe, expect, test } from 'vitest'
import { atOnce } from '../../../../src/platform/steps.ts'
import { catalogWord } from '../../../../src/products/catalog-words.ts'
import {
  correctedText,
  correctionsIn,
  suggestionsFor,
} from '../../../../src/search/understanding/spelling.ts'
import {
  createSynonyms,
  type SynonymPair,
  type Synonyms,
} from '../../../../src/search/understanding/synonyms.ts'
import { understand } from '../../../../src/search/understanding/understanding.ts'

const SCOPE = 'org/shop'

/** Suggestions in the form of Elasticsearch's answer: words with their frequency, by name. */
const suggested = (names: Record<string, Record<string, number>>) =>
  Object.fromEntries(
    Object.entries(names).map(([name, words]) => [
      name,
      [
        {
          options: Object.entries(words).map(([word, freq]) => ({
            text: catalogWord(SCOPE, word),
            freq,
          })),
        },
      ],
    ]),
  ) as never

const corrections = (
  text: string,
  names: Record<string, Record<string, number>>,
  synonyms?: Synonyms,
) => {
  const asked = understand(text, { synonyms })
  const found = correctionsIn(suggested(names), asked)
  return [...found].map(([word, words]) => [word.text, ...words])
}

describe('suggestions', () => {
  test('are requested only from words of the catalog, including the first letter', () => {
    expect(suggestionsFor(understand('Tonners'), SCOPE)).toEqual(
      Object.fromEntries(
        ['tonners', 'tonner'].map((word, at) => [
          `word0-${at}`,
          {
            text: catalogWord(SCOPE, word),
            term: {
              field: 'search.words',
              analyzer: 'keyword',
              suggest_mode: 'missing',
              prefix_length: 13,
              max_edits: 1,
              size: 8,
              shard_size: 8,
            },
          },
        ]),
      ),
    )
    expect(catalogWord('org/shop2', 'tonner')).not.toBe(catalogWord(SCOPE, 'tonner'))
  })

  test.each(['abc', 'ab-12', '25 mm', '検'.repeat(33), ''])('are not requested for %s', (text) => {
    expect(suggestionsFor(understand(text), SCOPE)).toBeUndefined()
  })
})

describe('corrections', () => {
  test('are the closest words, then the most frequent', () => {
    const words = { tonnel: 3, toner: 50, tunnel: 900 }
    expect(corrections('tonner', { 'word0-0': words })).toEqual([['tonner', 'toner', 'tonnel']])
  })

  test('count swapped letters as one mistake', () => {
    const words = { fluorescent: 1, florescent: 9 }
    expect(corrections('flourescent', { 'word0-0': words })[0]).toEqual([
      'flourescent',
      ...['florescent', 'fluorescent'],
    ])
  })

  test('accept a plural whose singular is in the catalog', () => {
    expect(corrections('printers', { 'word0-0': { printer: 5 } })).toEqual([])
  })

  test('can be words that only the synonyms contain', () => {
    expect(corrections('akkuschruber', {})).toEqual([['akkuschruber', 'akkuschrauber']])
    expect(corrections('laptop', {})).toEqual([])
  })

  test('compare only some letters with synonyms', () => {
    const named = (at: number) =>
      [at % 10, Math.floor(at / 10) % 10, Math.floor(at / 100) % 10].map((n) => 'abcdefghij'[n])
    const pairs = Array.from(
      { length: 1_000 },
      (_, at): SynonymPair => [[`zzzzz${named(at).join('')}zzzz`], ['other']],
    )
    const synonyms = atOnce(createSynonyms([[['akkuschrauber'], ['drill']], ...pairs]))
    const unknown = Array.from({ length: 12 }, (_, at) => `qqqqq${named(at).join('')}qqqq`)
    const last = (count: number) =>
      corrections([...unknown.slice(0, count), 'akkuschruber'].join(' '), {}, synonyms)
    expect(last(2)).toEqual([['akkuschruber', 'akkuschrauber']])
    expect(last(12)).toEqual([])
  })

  test('are reported except for words that no product has', () => {
    const asked = understand('blak tonner')
    const [black, toner] = asked.words
    const found = new Map([
      [black!, ['black']],
      [toner!, ['toner', 'tuner']],
    ])
    expect(correctedText('blak tonner', found, new Set())).toBe('black toner')
    expect(correctedText('blak tonner', found, new Set([black!]))).toBe('blak toner')
    expect(correctedText('blak tonner', new Map(), new Set())).toBeUndefined()
  })
})
