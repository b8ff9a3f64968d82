import { describe, expect, test } from 'vitest'
import { queryText } from '../../../src/analytics/query-text.ts'
import { isRobot } from '../../../src/analytics/robots.ts'
import { marksOf, placeIn, readToken, writeToken } from '../../../src/analytics/search-token.ts'

describe('a search token', () => {
  const marks = marksOf(['D-1', 'D-2', 'ü\u{1f600}'])
  const token = { id: 'a', time: 7, catalog: 'c', query: null, isCounted: true, from: null, marks }

  test('is read as it was written, and no other text is accepted', () => {
    expect(readToken(writeToken(token))).toEqual(token)
    const assignment = { experiment: 'Newest first', variant: 'control', group: 99 } as const
    expect(readToken(writeToken({ ...token, assignment }))).toEqual({ ...token, assignment })
    for (const other of ['', 'null', '[]', '[2]', writeToken(token).replace('[1', '[2')]) {
      expect(() => readToken(other)).toThrow()
    }
  })

  test('contains the positions of its products', () => {
    const places = ['D-1', 'D-2', 'ü\u{1f600}', 'D-3', ''].map((id) => placeIn(marks, id))
    expect(places).toEqual([0, 1, 2, -1, -1])
    expect(placeIn(marksOf([]), 'D-1')).toBe(-1)
  })

  test('distinguishes 250 products that differ in one character', () => {
    const ids = Array.from({ length: 250 }, (_, at) => `product-${at}`)
    const all = marksOf(ids)
    expect(ids.map((id) => placeIn(all, id))).toEqual(ids.map((_, at) => at))
  })
})

test.each([
  [null, null],
  ['  ', null],
  [' Cordless \t DRILL ', 'cordless drill'],
  ['GLU\u0308HBIRNE', 'glühbirne'],
  [`${'x'.repeat(199)}\u{1f600}`, `${'x'.repeat(199)}\ufffd`],
])('the query of %j is %j', (keywords, query) => {
  expect(queryText(keywords)).toBe(query)
})

test.each([
  ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', true],
  ['Mozilla/5.0 (compatible; YandexBot/3.0)', true],
  ['facebookexternalhit/1.1', true],
  ['Mozilla/5.0 (Linux; Android 13; CUBOT X70) Chrome/126.0 Mobile', false],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0', false],
  ['curl/8.5.0', false],
  ['', false],
  [undefined, false],
])('%s is detected as a robot: %s', (agent, expected) => {
  expect(isRobot(agent)).toBe(expected)
})
