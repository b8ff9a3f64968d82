import { describe, expect, test } from 'vitest'
import { type Bounded, createWithin } from '../../../src/platform/within.ts'

const wait = () => new Promise((done) => setImmediate(done))

/** A set of things that may hold `limit`, whose every step takes a turn of the event loop. */
function shelf(limit: number, changes: Partial<Bounded> = {}) {
  const things = new Set<number>()
  const create = (thing: number) =>
    createWithin({
      limit,
      signal: AbortSignal.timeout(5_000),
      full: () => new Error('full'),
      count: async () => {
        await wait()
        return things.size
      },
      create: async () => {
        await wait()
        things.add(thing)
      },
      remove: async () => {
        await wait()
        things.delete(thing)
      },
      ...changes,
    })
  return { things, create }
}

describe('createWithin', () => {
  test('creates up to the limit', async () => {
    const { things, create } = shelf(2)
    await create(1)
    await create(2)
    await expect(create(3)).rejects.toThrow('full')
    expect([...things]).toEqual([1, 2])
  })

  test('never leaves more than the limit when many create at once', async () => {
    for (const limit of [1, 3, 10]) {
      const { things, create } = shelf(limit)
      const results = await Promise.allSettled(Array.from({ length: 20 }, (_, n) => create(n)))
      const made = results.filter(({ status }) => status === 'fulfilled').length
      expect(things.size).toBe(made)
      expect(made).toBeLessThanOrEqual(limit)
    }
  })

  test('takes back what it cannot count, and leaves what it did not create', async () => {
    let counted = 0
    const { things, create } = shelf(5, {
      count: async () => {
        if (++counted > 1) throw new Error('away')
        return 0
      },
    })
    await expect(create(1)).rejects.toThrow('away')
    expect([...things]).toEqual([])
    let removed = 0
    const taken = shelf(5, {
      create: () => Promise.reject(new Error('taken')),
      remove: async () => removed++,
    })
    await expect(taken.create(1)).rejects.toThrow('taken')
    expect(removed).toBe(0)
  })
})
