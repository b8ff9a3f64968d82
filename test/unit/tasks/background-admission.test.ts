import { afterEach, expect, test, vi } from 'vitest'
import { limits } from '../../../src/limits.ts'
import { createAdmission } from '../../../src/platform/admission.ts'
import { partOf } from '../../../src/platform/load-owner.ts'
import { enterBackground, enterForLongBatch } from '../../../src/tasks/background-admission.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Places for one batch at a time. */
const newPlaces = () => ({
  requests: createAdmission({ capacity: limits.batchPlaces, waiting: 9, what: 'requests' }),
})

test('families take turns, however many writers each has', async () => {
  const services = newPlaces()
  const began: string[] = []
  const write = async (family: string) => {
    const leave = await enterBackground(services, family)
    began.push(family)
    await settled()
    leave()
  }
  await Promise.all(['busy', 'busy', 'busy', 'busy', 'other', 'other'].map(write))
  expect(began).toEqual(['busy', 'other', 'busy', 'other', 'busy', 'busy'])
})

test('a batch that takes long lets others have its places in between', async () => {
  const services = newPlaces()
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  const began: string[] = []
  const turn = await enterForLongBatch(services, 'long')
  const other = enterBackground(services, 'other').finally(() => began.push('other'))
  await turn.pause()
  expect(began).toEqual([])
  now = limits.restMs
  const paused = turn.pause().finally(() => began.push('long'))
  await settled()
  expect(began).toEqual(['other'])
  ;(await other)()
  await paused
  expect(began).toEqual(['other', 'long'])
  await turn.outside(async () => expect(services.requests.load().underWay).toBe(0))
  expect(services.requests.load().underWay).toBe(limits.batchPlaces)
  turn.leave()
  expect(services.requests.load().underWay).toBe(0)
})

test('a batch keeps its places while nobody waits, and its task can end the waiting', async () => {
  const services = newPlaces()
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  const entered = vi.spyOn(services.requests, 'enter')
  const { pause, leave } = await enterForLongBatch(services, 'one')
  now = limits.restMs
  await pause()
  expect(entered).toHaveBeenCalledTimes(1)
  const task = new AbortController()
  const waiting = enterForLongBatch({ ...services, signal: task.signal }, 'two')
  task.abort(new Error('lost'))
  await expect(waiting).rejects.toThrow('lost')
  leave()
})

test('after a batch its share stays taken as long as it took, while others are active', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] })
  const services = newPlaces()
  const batch = async () => {
    const { leave } = await enterForLongBatch(services, 'own')
    vi.advanceTimersByTime(200)
    leave()
  }
  const own = services.requests.tryEnter(partOf('own', 'branch'))!
  own()
  await batch()
  await batch()
  const visitor = services.requests.tryEnter('visitor')!
  visitor()
  await batch()
  expect(services.requests.load().underWay).toBe(0)
  const next = vi.fn()
  const waiting = batch().then(next)
  await vi.advanceTimersByTimeAsync(199)
  expect(next).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  await waiting
})
