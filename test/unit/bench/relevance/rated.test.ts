import { describe, expect, test } from 'vitest'
import { type AnsweredQuery, ratedRow } from '../../../../bench/relevance/rated.ts'
import { readRatings } from '../../../../bench/relevance/ratings.ts'
import { ratedLines, shownLines } from '../../../../bench/relevance/report.ts'

const found = (...ids: string[]) => ({ ids, total: ids.length })
const answered = (query: string, aisle: string[], plain: string[]): AnsweredQuery => ({
  query,
  grades: new Map([
    ['good', query === 'none' ? 0 : 3],
    ['bad', 0],
  ]),
  found: { aisle: found(...aisle), plain: found(...plain) },
})

describe('ratings', () => {
  test('are the grades of each query', () => {
    const ratings = readRatings('query,product,grade\n"a, b",1,3\r\n"a, b",2,0\nlamp,1,1\n')
    expect([...ratings]).toEqual([
      [
        'a, b',
        new Map([
          ['1', 3],
          ['2', 0],
        ]),
      ],
      ['lamp', new Map([['1', 1]])],
    ])
  })

  test.each(['lamp,1', 'lamp,1,4', 'lamp,1,', ',1,2', 'lamp,,2'])('%j is refused', (line) => {
    expect(() => readRatings(`query,product,grade\nlamp,1,1\n${line}`)).toThrow('line 3')
  })
})

describe('rated queries', () => {
  const row = ratedRow([
    answered('same', ['good', 'bad'], ['good', 'x']),
    answered('lost', ['bad', 'x'], ['good']),
    answered('won', ['good'], []),
    answered('none', ['bad', 'good'], ['x', 'y']),
  ])

  test('are averaged over those with a relevant product', () => {
    expect(row.queries).toBe(4)
    expect(row.withoutRelevant).toEqual(['none'])
    expect(row.sides.aisle.ndcg.mean).toBeCloseTo(2 / 3, 10)
    expect(row.sides.plain.ndcg.mean).toBeCloseTo(2 / 3, 10)
    expect(row.sides.aisle.mrr).toBeCloseTo(2 / 3, 10)
    expect(row.sides.aisle.recall).toBeCloseTo(2 / 3, 10)
  })

  test('count empty answers, and how many of the first ten were judged', () => {
    expect([row.sides.aisle.empty, row.sides.plain.empty]).toEqual([0, 1])
    expect(row.sides.aisle.labelled).toBe(6 / 7)
    expect(row.sides.plain.labelled).toBe(2 / 5)
  })

  test('are also judged by rated hits only, as if the others were absent', () => {
    expect(ratedRow([answered('q', ['x', 'y', 'good'], ['x'])]).sides).toMatchObject({
      aisle: { ndcg: { mean: 0.5 }, judged: { mean: 1 } },
      plain: { ndcg: { mean: 0 }, judged: { mean: 0 } },
    })
  })

  test('report losers, and the paired difference of both sides', () => {
    expect(row.difference.mean).toBe(0)
    expect(row.difference.interval).toEqual({ low: -1, high: 1 })
    expect(row.lost).toEqual([{ query: 'lost', aisle: 0, plain: 1, judged: 0, labelled: 1 }])
    expect(row.worst[0]!.query).toBe('lost')
    expect(ratedLines(row)).toContain('  more than 0.2 below plain: 1')
  })
})

test('a printed query has its first ten hits with grade and name, and the best possible ones', () => {
  const { query, grades, found } = answered('q', ['good', 'x', '3', '4', '5', '6'], ['bad'])
  const product = (id: string) => [id, { name: `Name of ${id}` }] as const
  const products = new Map(['good', 'x', '3', '4', '5', '6', 'bad'].map(product))
  expect(shownLines({ catalog: 'real', query, grades, found }, products)).toEqual([
    'q in real: aisle, 6 hits',
    '    3  good  Name of good',
    '    -  x  Name of x',
    '    -  3  Name of 3',
    '    -  4  Name of 4',
    '    -  5  Name of 5',
    '    -  6  Name of 6',
    'q in real: plain, 1 hits',
    '    0  bad  Name of bad',
    'q in real: the best',
    '    3  good  Name of good',
  ])
})
