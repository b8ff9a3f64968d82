import { expect, test } from 'vitest'
import type { Match } from '../../../storefront/src/shop/types.ts'
import { historyOf } from '../../../storefront/src/ui/history-lines.ts'
import { pastedList, picked } from '../../../storefront/src/ui/list-lines.ts'

const match = (productId: string, matchGroup: string, qty: string | null): Match => ({
  productId,
  source: 'demo',
  matchedTo: `line ${matchGroup}`,
  qty,
  mfp: null,
  name: null,
  matchGroup,
  scorer: 'text',
  score: 1,
})

test('a pasted list keeps its lines in order, and each product once', () => {
  const text = `2x a\nb or c\r\n${'\n'.repeat(6)}none\n3x a`
  const { lines, unknown } = pastedList(text, {
    matchedProducts: [match('a', '1', '2'), match('a', '10', '3')],
    possibleProducts: [match('b', '2', null), match('c', '2', null)],
  })
  expect(unknown).toEqual(['none'])
  expect(lines.map(({ group, quantity, sure }) => [group, quantity, sure])).toEqual([
    ['1', 2, 'a'],
    ['2', 1, ''],
    ['10', 3, 'a'],
  ])
  expect(picked(lines, {})).toEqual([{ catalog: 'demo', productId: 'a', quantity: 5 }])
  expect(picked(lines, { 1: '', 2: 'c' })).toEqual([
    { catalog: 'demo', productId: 'c', quantity: 1 },
    { catalog: 'demo', productId: 'a', quantity: 3 },
  ])
})

test('prices over time are steps up to now, with gaps without an offer', () => {
  const point = (vendor: string, day: number, price: number | null) => ({
    id: `${vendor}${day}`,
    vendor,
    date: new Date(Date.UTC(2026, 0, day)).toISOString(),
    price,
  })
  const plane = { width: 100, height: 10, now: Date.UTC(2026, 0, 11) }
  const points = [point('A', 1, 20), point('A', 6, 10), point('B', 1, 20), point('B', 3, null)]
  expect(historyOf(points, plane)).toMatchObject({
    least: 10,
    most: 20,
    lines: [
      { vendor: 'A', last: 10, path: 'M0 0L50 0L50 10L100 10' },
      { vendor: 'B', last: undefined, path: 'M0 0L20 0' },
    ],
  })
  expect(historyOf([point('A', 1, 20)], plane)?.lines).toMatchObject([{ path: 'M0 5L100 5' }])
  expect(historyOf([], plane)).toBeUndefined()
})
