import { expect, test } from 'vitest'
import { BloomFilter } from '../../../src/platform/bloom-filter.ts'

test('counts ids that another set lacks', () => {
  const [named, found] = [new BloomFilter(), new BloomFilter()]
  expect(named.countMissingIn(found)).toBe(0)
  for (let at = 0; at < 100; at++) named.add(`A-${at}`)
  expect(named.countMissingIn(found)).toBe(100)
  for (let at = 0; at < 90; at++) found.add(`A-${at}`)
  found.add('B')
  expect(named.countMissingIn(found)).toBe(10)
})

test('ids that were added are found, and hardly any others', () => {
  const passed = new BloomFilter()
  expect(passed.has('A-0')).toBe(false)
  const ids = (name: string) => Array.from({ length: 10_000 }, (_, at) => `${name}-${at}`)
  for (const id of ids('A')) passed.add(id)
  expect(ids('A').every((id) => passed.has(id))).toBe(true)
  expect(ids('B').filter((id) => passed.has(id)).length).toBeLessThan(100)
})
