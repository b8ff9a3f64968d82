import { expect, test, vi } from 'vitest'
import { TooManyRequests } from '../../../src/errors.ts'
import { createLane } from '../../../src/platform/lane.ts'

const never = new AbortController().signal

function work() {
  const { promise, resolve } = Promise.withResolvers<void>()
  let started = false
  return {
    run: () => {
      started = true
      return promise
    },
    end: resolve,
    get started() {
      return started
    },
  }
}

test('runs in the order of arrival, only so many at once', async () => {
  const lane = createLane({ atOnce: 1, waiting: 2, what: 'jobs' })
  const [a, b, c] = [work(), work(), work()]
  const runs = [a, b, c].map(({ run }) => lane.run(never, run))
  await expect(lane.run(never, async () => 0)).rejects.toThrow(TooManyRequests)
  expect([a.started, b.started, c.started]).toEqual([true, false, false])
  a.end()
  await runs[0]
  await vi.waitFor(() => expect([b.started, c.started]).toEqual([true, false]))
  b.end()
  await runs[1]
  await vi.waitFor(() => expect(c.started).toBe(true))
  c.end()
  await runs[2]
  await expect(lane.run(never, async () => 7)).resolves.toBe(7)
})

test('who gives up waiting leaves its place to others, and failing work its turn', async () => {
  const lane = createLane({ atOnce: 1, waiting: 1, what: 'jobs' })
  const [a, b] = [work(), work()]
  const first = lane.run(never, a.run)
  const patience = new AbortController()
  const waiting = lane.run(patience.signal, b.run)
  patience.abort(new Error('enough'))
  await expect(waiting).rejects.toThrow('enough')
  expect(b.started).toBe(false)
  const failing = lane.run(never, () => Promise.reject(new Error('no')))
  a.end()
  await first
  await expect(failing).rejects.toThrow('no')
  await expect(lane.run(never, async () => 7)).resolves.toBe(7)
  await expect(lane.run(patience.signal, async () => 7)).rejects.toThrow('enough')
})
