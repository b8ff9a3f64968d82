import { expect, test } from 'vitest'
import { roundRobin } from '../../../src/platform/round-robin.ts'

test('owners take turns, each with its items in their order', () => {
  const items = ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']
  expect(roundRobin(items, ([owner]) => owner!)).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
  expect(roundRobin([], String)).toEqual([])
})
