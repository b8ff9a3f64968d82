import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test, vi } from 'vitest'
import { limits } from '../../../src/limits.ts'
import { createHitCache } from '../../../src/platform/cache.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

function setup() {
  let time = Date.parse('2026-01-02T03:04:05Z')
  const cache = createHitCache({ now: () => new Date(time) })
  const pass = (ms: number) => {
    time += ms
  }
  const get = (load: () => Promise<object | undefined>) => cache.get('thing', 'a', load)
  return { cache, get, pass }
}

test('found values are loaded once until they expire, also by concurrent callers', async () => {
  const { cache, get, pass } = setup()
  const load = vi.fn(async () => ({}))
  await Promise.all([get(load), get(load)])
  pass(limits.cacheMs - 1)
  await get(load)
  expect(load).toHaveBeenCalledTimes(1)
  pass(1)
  await get(load)
  expect(load).toHaveBeenCalledTimes(2)
  cache.drop('thing', 'a')
  await get(load)
  expect(load).toHaveBeenCalledTimes(3)
})

test('found values are loaded again if the clock was set back', async () => {
  const { get, pass } = setup()
  const load = vi.fn(async () => ({}))
  await get(load)
  pass(-3_600_000)
  await get(load)
  expect(load).toHaveBeenCalledTimes(2)
  await get(load)
  expect(load).toHaveBeenCalledTimes(2)
})

test('missing values and failures are not cached', async () => {
  const { get } = setup()
  expect(await get(async () => undefined)).toBeUndefined()
  await expect(get(() => Promise.reject(new Error('away')))).rejects.toThrow('away')
  expect(await get(async () => ({ id: 1 }))).toEqual({ id: 1 })
})

test('a caller that cancels leaves the load to the others', async () => {
  const { cache } = setup()
  const loaded = Promise.withResolvers<object>()
  const hurried = new AbortController()
  const load = () => loaded.promise
  const waiting = [hurried.signal, undefined].map((signal) =>
    cache.get('thing', 'a', load, { signal }),
  )
  hurried.abort(new Error('gone'))
  await expect(waiting[0]).rejects.toThrow('gone')
  loaded.resolve({ id: 1 })
  expect(await waiting[1]).toEqual({ id: 1 })
})

test('memory of expired values is released on the next access to another key', async () => {
  const { cache, pass } = setup()
  const ref = new WeakRef({})
  await cache.get('thing', 'a', async () => ref.deref())
  pass(limits.cacheMs)
  await cache.get('thing', 'b', async () => ({}))
  await setImmediate()
  collectGarbage()
  expect(ref.deref()).toBeUndefined()
})

test('of large values the oldest are evicted, and nothing else', async () => {
  const { cache } = setup()
  const length = limits.cachedCharacters * 0.4
  const load = vi.fn(async () => ({ length }))
  const long = (id: string) => cache.get('long', id, load, { lengthOf: (found) => found.length })
  const short = vi.fn(async () => ({}))
  await cache.get('short', 'a', short)
  for (const id of ['a', 'b', 'c']) await long(id)
  await long('c')
  await long('b')
  expect(load).toHaveBeenCalledTimes(3)
  await long('a')
  expect(load).toHaveBeenCalledTimes(4)
  await cache.get('short', 'a', short)
  expect(short).toHaveBeenCalledTimes(1)
  cache.drop('long', 'a')
  await long('c')
  expect(load).toHaveBeenCalledTimes(4)
})
