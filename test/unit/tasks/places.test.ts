import { expect, test } from 'vitest'
import { createTaskPlaces } from '../../../src/tasks/places.ts'

const goesOn = () => false

test('a task that waits for another system leaves its place, and waits for one afterwards', async () => {
  const places = createTaskPlaces({ concurrency: 2, elsewhereMs: 10 })
  const answer = Promise.withResolvers<string>()
  const slow = places.take('a')
  const heard = slow.elsewhere(() => slow.elsewhere(() => answer.promise, goesOn), goesOn)
  const other = places.take('b')
  expect(places.isFull()).toBe(true)
  await expect.poll(() => places.isFull()).toBe(false)
  const third = places.take('c')
  const order: string[] = []
  answer.resolve('well')
  setTimeout(() => {
    order.push('a place is free')
    other.leave()
  }, 100)
  order.push(await heard)
  expect(order).toEqual(['a place is free', 'well'])
  expect(places.isFull()).toBe(true)
  third.leave()
})

test('one that is over needs no place, and families leave room for others as they come back', async () => {
  const places = createTaskPlaces({ concurrency: 3, elsewhereMs: 0 })
  const answers = [0, 1, 2].map(() => Promise.withResolvers<void>())
  let over = false
  const waits: Promise<void>[] = []
  for (const { promise } of answers) {
    expect(places.hasPlace('a')).toBe(true)
    const isOver = () => over
    waits.push(places.take('a').elsewhere(() => promise, isOver))
    await expect.poll(() => places.hasPlace('a')).toBe(true)
  }
  for (const { resolve } of answers) resolve()
  await Promise.race(waits)
  await expect.poll(() => places.hasPlace('a')).toBe(false)
  expect(places.hasPlace('b')).toBe(true)
  over = true
  await Promise.all(waits)
})

test('who comes back has the next place that comes free, before tasks that are new, in turn', async () => {
  const places = createTaskPlaces({ concurrency: 1, elsewhereMs: 0 })
  const order: string[] = []
  const answers: PromiseWithResolvers<void>[] = []
  const [first, second] = await Promise.all(
    ['a', 'b'].map(async (family, at) => {
      const answer = Promise.withResolvers<void>()
      answers.push(answer)
      if (at > 0) await expect.poll(() => places.hasPlace(family)).toBe(true)
      const place = places.take(family)
      const heard = place
        .elsewhere(() => answer.promise, goesOn)
        .then(() => void order.push(family))
      return { place, heard }
    }),
  )
  await expect.poll(() => places.isFull()).toBe(false)
  const third = places.take('c')
  answers[1]!.resolve()
  await new Promise(setImmediate)
  answers[0]!.resolve()
  await new Promise(setImmediate)
  third.leave()
  expect([places.hasPlace('c'), places.isFull()]).toEqual([false, true])
  await second!.heard
  second!.place.leave()
  expect([places.hasPlace('c'), places.isFull()]).toEqual([false, true])
  await first!.heard
  expect(order).toEqual(['b', 'a'])
  first!.place.leave()
  expect(places.isFull()).toBe(false)
})

test('what a task does while it waits for more has a place', async () => {
  const places = createTaskPlaces({ concurrency: 1, elsewhereMs: 0 })
  const asked = Promise.withResolvers<void>()
  const done = Promise.withResolvers<void>()
  const rest = Promise.withResolvers<void>()
  const order: string[] = []
  const place = places.take('a')
  const heard = place.elsewhere(async (here) => {
    await asked.promise
    const parts = [0, 1].map((part) =>
      here(async () => {
        order.push(`part ${part}`)
        await done.promise
      }),
    )
    await Promise.all([...parts, rest.promise])
  }, goesOn)
  await expect.poll(() => places.isFull()).toBe(false)
  const other = places.take('b')
  asked.resolve()
  await new Promise(setImmediate)
  expect(order).toEqual([])
  other.leave()
  expect(places.isFull()).toBe(true)
  await expect.poll(() => order).toEqual(['part 0', 'part 1'])
  expect(places.isFull()).toBe(true)
  done.resolve()
  await expect.poll(() => places.isFull()).toBe(false)
  rest.resolve()
  await heard
  expect(places.isFull()).toBe(true)
})
