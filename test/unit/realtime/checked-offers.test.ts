import { expect, test } from 'vitest'
import { failure, type ItemResult } from '../../../src/realtime/check-item.ts'
import { offersAfter } from '../../../src/realtime/checked-offers.ts'
import { oneVendorAnswer } from '../../../src/realtime/responses.ts'
import type { Vendor } from '../../../src/realtime/vendors.ts'
import { offer, product } from '../products/make.ts'
import { item } from './make.ts'

const scope = { owner: 'o', name: 'c', index: null, checkRealtime: true, language: 'en' } as const
const asked = { scope, product: product({ vendors: [offer('a', { cost: 9 }), offer('b')] }) }
const TIME = new Date('2026-02-03T04:05:06Z')
const said = (name: string, result: ItemResult, time: Date | null = TIME) => ({
  vendor: { name } as Vendor,
  asked,
  result,
  time,
})
const costs = (cost: number): ItemResult => ({ item: item({ cost }), error: null })

test('only answered offers are checked, and among equal names the nearest vendor counts', () => {
  const words = [
    said('a', costs(8)),
    said('a', costs(99)),
    said('b', failure('late'), null),
    said('c', costs(7)),
  ]
  expect([...offersAfter(words)]).toEqual([
    [
      'p',
      [
        { ...offer('a', { cost: 8 }), checkedAt: TIME.toISOString() },
        offer('b'),
        { ...offer('c', { cost: 7 }), checkedAt: TIME.toISOString() },
      ],
    ],
  ])
  expect(offersAfter([said('a', failure('unknown part'))]).size).toBe(0)
})

test('a vendor failed only if it returned nothing at all', () => {
  const named = [{ catalog: 'c', id: 'p', asked }]
  const about = (result: ItemResult, time: Date | null) =>
    oneVendorAnswer(named, [said('a', result, time)])
  expect(about(failure('late'), null)).toMatchObject({ success: false, error: 'late' })
  expect(about(failure('unknown part'), TIME)).toMatchObject({
    success: true,
    error: null,
    items: [{ id: 'p', error: 'unknown part', cost: null }],
  })
  expect(oneVendorAnswer([], [])).toEqual({ success: true, error: null, items: [] })
})
