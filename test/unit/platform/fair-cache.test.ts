import { expect, onTestFinished, test, vi } from 'vitest'
import { createFairCache } from '../../../src/platform/fair-cache.ts'

const cacheOf = (...entries: readonly (readonly [key: string, size: number])[]) => {
  const cache = createFairCache<string>({ most: 10, share: 4, unusedMs: 1_000 })
  const add = (key: string, size: number) => cache.set(key, { value: key, owner: key[0]!, size })
  for (const [key, size] of entries) add(key, size)
  const kept = () => entries.map(([key]) => key).filter((key) => cache.get(key) !== undefined)
  return { ...cache, add, kept }
}

test('a cache that is full loses the oldest values of those who have more than a share', () => {
  const { add, kept } = cacheOf(['b1', 2], ['a1', 3], ['a2', 3], ['a3', 2])
  add('a4', 3)
  expect(kept()).toEqual(['b1', 'a2', 'a3'])
  add('a5', 9)
  expect(kept()).toEqual([])
})

test('a cache in which nobody has more than a share loses the oldest value', () => {
  const { add, get, kept } = cacheOf(['a1', 3], ['b1', 3], ['c1', 4])
  get('a1')
  add('d1', 3)
  expect(kept()).toEqual(['a1', 'c1'])
})

test('a value that is added again has its new size', () => {
  const { add, get, kept } = cacheOf(['a1', 6], ['b1', 4])
  add('a1', 2)
  add('c1', 4)
  expect(kept()).toEqual(['a1', 'b1'])
  expect(get('c1')).toBe('c1')
})

test('a value is kept while it is used', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  let now = 1
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
  onTestFinished(() => {
    clock.mockRestore()
    vi.useRealTimers()
  })
  const wait = (ms: number) => {
    now += ms
    vi.advanceTimersByTime(ms)
  }
  const { get, kept } = cacheOf(['a1', 1], ['a2', 1])
  wait(600)
  get('a1')
  wait(600)
  expect(kept()).toEqual(['a1'])
})
