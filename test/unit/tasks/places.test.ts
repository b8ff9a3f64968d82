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
