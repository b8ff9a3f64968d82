import { describe, expect, test } from 'vitest'
import {
  checkLimit,
  createUpToLimit,
  type LimitedCreation,
} from '../../../src/platform/limited-creation.ts'

const wait = () => new Promise((done) => setImmediate(done))

/** A set with at most `limit` things, where every step takes a turn of the event loop. */
function shelf(limit: number, changes: Partial<LimitedCreation<number>> = {}) {
  const things = new Set<number>()
  const create = (thing: number) =>
    createUpToLimit({
      signal: AbortSignal.timeout(30_000),
      create: async () => {
        await wait()
        checkLimit(things.size, limit, 'full')
        await wait()
        things.add(thing)
        return thing
      },
      excess: async () => {
        await wait()
        return things.size > limit ? new Error('full') : undefined
      },
      remove: async () => {
        await wait()
        things.delete(thing)
      },
      ...changes,
    })
  return { things, create }
}

describe('createUpToLimit', () => {
  test('creates up to the limit', async () => {
    const { things, create } = shelf(2)
    await create(1)
    await create(2)
    await expect(create(3)).rejects.toThrow('full')
    expect([...things]).toEqual([1, 2])
  })

  test('never exceeds the limit with concurrent creations', async () => {
    for (const limit of [1, 3, 10]) {
      const { things, create } = shelf(limit)
      const results = await Promise.allSettled(Array.from({ length: 20 }, (_, n) => create(n)))
      const made = results.filter(({ status }) => status === 'fulfilled').length
      expect(things.size).toBe(made)
      expect(made).toBeLessThanOrEqual(limit)
    }
  })

  test('undoes a creation that it cannot count, and keeps what it did not create', async () => {
    const { things, create } = shelf(5, { excess: () => Promise.reject(new Error('away')) })
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
