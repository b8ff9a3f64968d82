import { expect, test } from 'vitest'
import { createAdmission } from '../../../src/platform/admission.ts'
import { createRests } from '../../../src/platform/rests.ts'

const newPlace = () => {
  const place = createAdmission({ capacity: 1, waiting: 9, what: 'pieces' })
  const rests = createRests()
  const enter = (owner: string, signal?: AbortSignal) =>
    rests.enter(owner, () => place.enter(owner), signal)
  return { place, rests, enter }
}

test('an owner who rests begins nothing, even if it waited before, and others go first', async () => {
  const { rests, enter } = newPlace()
  const leave = await enter('busy')
  const began: string[] = []
  const waiting = ['busy', 'other'].map(async (owner) => {
    const left = await enter(owner)
    began.push(owner)
    left()
  })
  rests.begin('busy', 30)
  const until = performance.now() + 30
  leave()
  await Promise.all(waiting)
  expect(began).toEqual(['other', 'busy'])
  expect(performance.now()).toBeGreaterThanOrEqual(until - 1)
})

test('a rest takes no place, and ends with its signal', async () => {
  const { place, rests, enter } = newPlace()
  const stop = new AbortController()
  rests.begin('busy', 10_000)
  const waiting = enter('busy', stop.signal)
  await new Promise(setImmediate)
  expect(place.load()).toEqual({ underWay: 0, waiting: 0 })
  stop.abort(new Error('stopped'))
  await expect(waiting).rejects.toThrow('stopped')
})

test('a rest takes no turn before it is over, even by a fraction of a millisecond', async () => {
  const place = createAdmission({ capacity: 1, waiting: 9, what: 'pieces' })
  const rests = createRests()
  let turns = 0
  for (let at = 0; at < 10; at++) {
    rests.begin('busy', 2.9)
    const leave = await rests.enter('busy', () => {
      turns++
      return place.enter('busy')
    })
    leave()
  }
  expect(turns).toBe(10)
})
