import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { limits } from '../../../src/limits.ts'
import { createAdmission } from '../../../src/platform/admission.ts'
import { withHeldAnswer } from '../../../src/platform/outbound/held-answer.ts'

const SIZE = limits.extensionAnswerBytes
const PIECE = 64 * 1024
const requests = createAdmission({ capacity: 8, waiting: Infinity, what: 'requests' })
const leavePlace = () => undefined

/** Number of bytes that were read. */
interface Arriving {
  taken: number
}

/** Reads an answer of this many bytes, and then runs `work` on it. */
async function answer(organization: string, stop: AbortSignal, work: () => Promise<unknown>) {
  const seen: Arriving & { error?: unknown } = { taken: 0 }
  const read = async (hold: (bytes: number) => Promise<void>) => {
    for (; seen.taken < SIZE; seen.taken += PIECE) await hold(seen.taken + PIECE)
  }
  const asker = {
    organization: { id: organization, parent: null },
    signal: stop,
    requests,
    leavePlace,
  }
  withHeldAnswer(asker, SIZE, { read, work }).catch((error: unknown) => {
    seen.error = error
  })
  for (let turns = 0; turns < 100; turns++) await setImmediate()
  return seen
}

const many = (organization: string, stop: AbortSignal, work: () => Promise<unknown>) =>
  Promise.all(Array.from({ length: 12 }, () => answer(organization, stop, work)))

test('while others are active, a task rests after a large answer for as long as it took', async () => {
  const [TOOK, TOLERANCE] = [50, 5]
  const busy = () => {
    for (const began = performance.now(); performance.now() - began < TOOK; );
  }
  /** Milliseconds for an answer while an organization sends requests. */
  const msBeside = async (active: string) => {
    const shared = createAdmission({ capacity: 8, waiting: Infinity, what: 'requests' })
    shared.tryEnter(active)?.()
    const task = {
      organization: { id: 'd', parent: null },
      signal: new AbortController().signal,
      requests: shared,
    }
    let done = 0
    await withHeldAnswer(task, SIZE, {
      read: (hold) => hold(SIZE),
      async work() {
        busy()
        done = performance.now()
      },
    })
    return performance.now() - done
  }
  expect(await msBeside('e')).toBeGreaterThan(TOOK - TOLERANCE)
  const alone = [await msBeside('d'), await msBeside('d'), await msBeside('d')]
  expect(Math.min(...alone)).toBeLessThan(TOOK - TOLERANCE)
})

test('waiting for the turn of a large answer, and its work, are not the time of the other system', async () => {
  const parts: string[] = []
  const asker = {
    organization: { id: 'vendors', parent: null },
    signal: new AbortController().signal,
    requests: createAdmission({ capacity: 8, waiting: Infinity, what: 'requests' }),
    leavePlace,
    async whilePaused<T>(own: () => Promise<T>): Promise<T> {
      parts.push('ours')
      const done = await own()
      parts.push('theirs')
      return done
    },
  }
  await withHeldAnswer(asker, SIZE, {
    async read(hold) {
      await hold(SIZE)
      parts.push('read')
    },
    work: async () => void parts.push('work'),
  })
  expect(parts).toEqual(['ours', 'theirs', 'read', 'ours', 'work', 'theirs'])
})

// Its work never ends, so nothing that takes a turn may follow.
test('large answers of one organization are read a few at a time, without delaying others', async () => {
  const stop = new AbortController()
  let underWay = 0
  // The work on the first answer never ends, so the others wait with what they hold.
  const forEver = () => {
    underWay++
    return new Promise<never>(() => undefined)
  }
  const mine = await many('a', stop.signal, forEver)
  expect(mine.filter(({ taken }) => taken >= SIZE)).toHaveLength(
    limits.organizationAnswerBytes / SIZE,
  )
  expect((await answer('b', stop.signal, forEver)).taken).toBe(SIZE)
  expect(underWay).toBe(1)
})

test('waiting for a large answer ends with the request', async () => {
  const stop = new AbortController()
  const waiting = await many('c', stop.signal, async () => undefined)
  const reason = new Error('over')
  stop.abort(reason)
  await setImmediate()
  expect(waiting.some(({ error }) => error === reason)).toBe(true)
  expect(waiting.every(({ taken, error }) => error === reason || taken >= SIZE)).toBe(true)
})

test('a small answer does not wait', async () => {
  const asker = {
    organization: { id: 'a', parent: null },
    signal: AbortSignal.timeout(30_000),
    requests,
  }
  const parts = {
    read: async (hold: (n: number) => Promise<void>) => hold(100),
    work: async () => 1,
  }
  expect(await withHeldAnswer(asker, SIZE, parts)).toBe(1)
})
