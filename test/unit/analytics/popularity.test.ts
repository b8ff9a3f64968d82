import { expect, test } from 'vitest'
import { type ProductBucket, tiersOf } from '../../../src/analytics/popularity.ts'

const bucket = (key: string, counts: Partial<Record<string, number>>): ProductBucket => {
  const of = (kind: string) => ({ doc_count: counts[kind] ?? 0 })
  const [click, cart] = [of('click'), of('cart')]
  return { key, click, cart, addition: of('addition'), purchase: of('purchase') }
}

test('products are ranked in tiers by their signals; a single click does not count', () => {
  const many = Array.from({ length: 60 }, (_, at) => bucket(`p${100 + at}`, { click: 2 }))
  const some = [
    bucket('clicked once', { click: 1 }),
    bucket('bought', { purchase: 1 }),
    bucket('clicked', { click: 4 }),
    bucket('added', { addition: 2 }),
  ]
  const [first, second, third, ...rest] = tiersOf([...many, ...some])
  expect(first!.slice(0, 4)).toEqual(['added', 'bought', 'clicked', 'p100'])
  expect([first!.length, second!.length, third!.length, rest]).toEqual([10, 40, 13, []])
  expect(tiersOf([])).toEqual([])
})
