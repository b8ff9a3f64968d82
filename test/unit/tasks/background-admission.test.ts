import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { limits } from '../../../src/limits.ts'
import { createAdmission } from '../../../src/platform/admission.ts'
import type { AdmissionBounds } from '../../../src/platform/admission-bounds.ts'
import { partOf } from '../../../src/platform/load-owner.ts'
import { enterBackground, enterForLongBatch } from '../../../src/tasks/background-admission.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Places for one batch at a time. */
const newPlaces = (bounds: Partial<AdmissionBounds> = {}) => ({
  requests: createAdmission({
    ...{ capacity: limits.batchPlaces, waiting: 9, what: 'requests' },
    ...bounds,
  }),
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

describe('while others are active', () => {
  const comes = ({ requests }: ReturnType<typeof newPlaces>, who: string) =>
    requests.tryEnter(who)?.()

  /** The families of batches in the order in which these end, after one of `own`. */
  async function endsOf(services: ReturnType<typeof newPlaces>, families: readonly string[]) {
    const ended: string[] = []
    const batch = async (family: string) => {
      const { leave } = await enterForLongBatch(services, family)
      await sleep(50)
      ended.push(family)
      leave()
    }
    await batch('own')
    await Promise.all(families.map(batch))
    return ended
  }

  test('a family rests after a batch, and others go first', async () => {
    const families = ['own', 'other']
    const alone = newPlaces()
    comes(alone, partOf('own', 'branch'))
    expect(await endsOf(alone, families)).toEqual(['own', 'own', 'other'])
    const shared = newPlaces()
    comes(shared, 'visitor')
    expect(await endsOf(shared, families)).toEqual(['own', 'other', 'own'])
  })

  test('a family rests three times as long as its batch took', async () => {
    const services = newPlaces()
    comes(services, 'visitor')
    const { leave } = await enterForLongBatch(services, 'own')
    const began = performance.now()
    await sleep(50)
    const ended = performance.now()
    leave()
    await enterForLongBatch(services, 'own')
    // A timer may fire a fraction of a millisecond early, so the rest follows what was measured.
    expect(performance.now() - ended).toBeGreaterThanOrEqual(3 * (ended - began))
  })

  test('a batch begins in a gap between the requests of its family, or after a while', async () => {
    const services = newPlaces({ capacity: 2 * limits.batchPlaces, rests: true })
    const request = services.requests.tryEnter(partOf('own', 'branch'))!
    const began: string[] = []
    const begins = async (family: string) => {
      const { leave } = await enterForLongBatch(services, family)
      began.push(family)
      leave()
    }
    await begins('own')
    comes(services, 'visitor')
    const waiting = begins('own')
    await begins('other')
    expect(began).toEqual(['own', 'other'])
    request()
    await waiting
    const busy = services.requests.tryEnter('own')!
    await begins('own')
    expect(began).toEqual(['own', 'other', 'own', 'own'])
    busy()
  })

  test('a long batch rests between its parts, without its places, until its task ends', async () => {
    const services = newPlaces()
    const task = new AbortController()
    let now = 0
    vi.spyOn(performance, 'now').mockImplementation(() => now)
    comes(services, 'visitor')
    const { pause } = await enterForLongBatch({ ...services, signal: task.signal }, 'own')
    now = limits.restMs
    const next = vi.fn()
    const resting = pause().then(next)
    await settled()
    expect(services.requests.load()).toEqual({ underWay: 0, waiting: 0 })
    expect(next).not.toHaveBeenCalled()
    task.abort(new Error('lost'))
    await expect(resting).rejects.toThrow('lost')
  })
})
