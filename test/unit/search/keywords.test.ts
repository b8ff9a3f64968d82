import { describe, expect, test } from 'vitest'
import { fewerWords, relaxedQuery, strictQuery } from '../../../src/search/keywords.ts'
import { namedQuery } from '../../../src/search/ranking.ts'
import { understand } from '../../../src/search/understanding/understanding.ts'
import { distinct, runsOf, wordsOf } from '../../../src/search/understanding/words.ts'

/** Leaves out the steps that add other words. */
const PLAIN = new Set(['compounds', 'synonyms', 'measures'] as const)
const understood = (text: string) => understand(text, { without: PLAIN })
const strict = (text: string) => strictQuery(understood(text), { scope: 'org/shop' })

const forms = (text: string) => distinct(wordsOf(text)).map(({ form }) => form)
const runs = (text: string) => runsOf(wordsOf(text)).map(({ form }) => form)

describe('words', () => {
  test.each([
    ['black  toner', ['black', 'toner']],
    ['Kabel (schwarz), 5m;rot|"blau"', ['kabel', 'schwarz', '5m', 'rot', 'blau']],
    ['ABC-123/4', ['abc1234']],
    ['5,5 mm, HSS', ['55', 'mm', 'hss']],
    ['Größe Ⅻ', ['grosse', 'xii']],
    ['toner Toner TONER', ['toner']],
    ['- & /', []],
    ['', []],
  ])('%s', (text, expected) => {
    expect(forms(text)).toEqual(expected)
  })

  test('at most 32 are used', () => {
    const text = Array.from({ length: 40 }, (_, at) => `w${at}`).join(' ')
    expect(wordsOf(text)).toHaveLength(32)
    expect(wordsOf(`${text} W0`).at(-1)).toEqual({ text: 'w0', form: 'w0' })
  })
})

describe('sequences that may be one part number', () => {
  test.each([
    ['abc 123 4', ['abc123', '1234', 'abc1234']],
    ['wireless 802.11 ac', ['80211ac']],
    ['7680x4320 8k', ['7680x43208k']],
    ['x1234567890 y1234567890 z1234567890', ['x1234567890y1234567890', 'y1234567890z1234567890']],
    ['black toner', []],
    ['a 1', []],
    ['ab 1 c', ['ab1c']],
    ['1 2 3 4 5', ['1234', '2345']],
    ['KR 20 20', ['kr20', '2020', 'kr2020']],
    ['55 55 7', ['5555', '55557']],
    ['2 608 608 042', ['2608', '608608', '608042', '2608608', '608608042', '2608608042']],
  ])('%s', (text, expected) => {
    expect(runs(text)).toEqual(expected)
  })
})

test('a long text has a limited number of sequences, those of two words first', () => {
  const text = Array.from({ length: 32 }, (_, at) => `${at}xy`).join(' ')
  const found = runsOf(wordsOf(text))
  expect(found).toHaveLength(16)
  expect(found.every(({ first, last }) => last - first === 1)).toBe(true)
})

const partNumber = (form: string, boost = 1000) => [
  { constant_score: { filter: { terms: { 'search.partNumbers': [form] } }, boost } },
  { constant_score: { filter: { prefix: { 'search.partNumbers': form } }, boost: 20 } },
  {
    constant_score: {
      filter: { match_phrase: { 'search.partNumbers.inside': form } },
      boost: 8,
    },
  },
]

const text = (query: string) =>
  Object.entries({ 'name.whole': 2, name: 1.5, text: 1, description: 1 }).map(([field, boost]) => ({
    constant_score: {
      filter: { match: { [`search.${field}`]: { query, operator: 'and' } } },
      boost,
    },
  }))

describe('the query for all words', () => {
  test('one word without digits', () => {
    expect(strict('Toner')).toEqual({
      dis_max: {
        tie_breaker: 0.1,
        queries: [
          ...text('Toner'),
          { constant_score: { filter: { terms: { 'search.partNumbers': ['toner'] } }, boost: 8 } },
        ],
      },
    })
  })

  test('matches a part number typed as two words in both', () => {
    const word = (typed: string, own: object[]) => ({
      dis_max: { tie_breaker: 0.1, queries: [...text(typed), ...own, ...partNumber('ab123')] },
    })
    expect(strict('AB 123')).toEqual({
      bool: { must: [word('AB', []), word('123', partNumber('123'))] },
    })
  })

  test('has one clause for a repeated word, with its positions', () => {
    const word = (typed: string, own: object[]) => ({
      dis_max: { tie_breaker: 0.1, queries: [...text(typed), ...own] },
    })
    const short = {
      constant_score: { filter: { terms: { 'search.partNumbers': ['20'] } }, boost: 8 },
    }
    expect(strict('KR 20 20')).toEqual({
      bool: {
        must: [
          word('KR', [...partNumber('kr20'), ...partNumber('kr2020', 1500)]),
          word('20', [
            short,
            ...partNumber('kr20'),
            ...partNumber('2020', 2000),
            ...partNumber('kr2020', 1500),
          ]),
        ],
      },
    })
    // A run of words that occurs twice counts once.
    expect(JSON.stringify(strict('hp 26x toner hp 26x')).match(/\["hp26x"\]/g)).toHaveLength(2)
  })

  test('ignores leading zeros', () => {
    expect(JSON.stringify(strict('00-12'))).toContain('["0012","12"]')
  })

  test('matches a short number only as a whole part number', () => {
    const clauses = JSON.stringify(strict('42'))
    expect(clauses).toContain('"search.partNumbers":["42"]')
    expect(clauses).not.toContain('prefix')
    expect(clauses).not.toContain('inside')
  })

  test.each([
    ['100000', true],
    ['00000417', true],
    ['4006381333931', true],
    ['1'.repeat(24), false],
    ['12'.repeat(100), false],
  ])('searches for %s inside part numbers unless it repeats itself', (number, isInside) => {
    const clauses = JSON.stringify(strict(number))
    expect(clauses.includes('inside')).toBe(isInside)
    expect(clauses).toContain('prefix')
  })
})

describe('the query for fewer words', () => {
  const relaxed = (text: string) => relaxedQuery(understood(text), { scope: 'org/shop' })

  test('requires at least one', () => {
    expect([1, 2, 3, 4, 5, 6, 10].map(fewerWords)).toEqual([1, 1, 1, 2, 3, 3, 6])
  })

  test('names each word by its position', () => {
    const { bool } = relaxed('black toner') as {
      bool: { should: { bool: { _name: string } }[]; minimum_should_match: number }
    }
    expect(bool.should.map((clause) => clause.bool._name)).toEqual(['word0', 'word1'])
    expect(bool.minimum_should_match).toBe(1)
  })

  test('matches the word that names the product in certain fields, and others anywhere', () => {
    const asked = understood('hdmi cabl')
    const { bool } = relaxedQuery(asked, { scope: 'org/shop' }) as {
      bool: { should: { bool: { should: { constant_score: { filter: object } }[] } }[] }
    }
    const lifted = bool.should.map((clause) => clause.bool.should[0]!.constant_score.filter)
    const named = namedQuery({ ...asked, unfinished: asked.head }, 'org/shop')
    expect(lifted).toEqual([{ match_all: {} }, named])
    expect(JSON.stringify(named)).not.toContain('description')
  })
})
