import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test, vi } from 'vitest'
import { limits } from '../../../src/limits.ts'
import { createHitCache } from '../../../src/platform/cache.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

function setup() {
  let time = 0
  const cache = createHitCache({ now: () => new Date(time) })
  /** Loads an object; answers whether it is still in memory. */
  const load = async (id: string) => {
    const ref = new WeakRef({ id })
    await cache.get('thing', id, async () => ref.deref())
    return async () => {
      await setImmediate()
      collectGarbage()
      return ref.deref() !== undefined
    }
  }
  const pass = (ms: number) => {
    time += ms
  }
  return { cache, load, pass }
}

test('what is believed no longer is let go with the next thing that is found', async () => {
  const { load, pass } = setup()
  const first = await load('a')
  pass(limits.cacheMs - 1)
  const second = await load('b')
  expect([await first(), await second()]).toEqual([true, true])
  pass(1)
  const third = await load('c')
  expect([await first(), await second(), await third()]).toEqual([false, true, true])
})

test('what was looked for again lives as long as what is new', async () => {
  const { cache, load, pass } = setup()
  await load('a')
  await load('b')
  pass(limits.cacheMs)
  const again = await load('a')
  pass(limits.cacheMs - 1)
  await load('c')
  expect(await again()).toBe(true)
  const other = vi.fn(async () => ({}))
  await cache.get('thing', 'a', other)
  expect(other).not.toHaveBeenCalled()
})
