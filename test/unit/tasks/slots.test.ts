import { expect, test } from 'vitest'
import { createTaskSlots } from '../../../src/tasks/slots.ts'

const goesOn = () => false

test('a task that waits for another system releases its slot, and waits for one afterwards', async () => {
  const slots = createTaskSlots({ concurrency: 2, slotReleaseMs: 10 })
  const answer = Promise.withResolvers<string>()
  const slow = slots.take('a')
  const heard = slow.withoutSlot(() => slow.withoutSlot(() => answer.promise, goesOn), goesOn)
  const other = slots.take('b')
  expect(slots.isFull()).toBe(true)
  await expect.poll(() => slots.isFull()).toBe(false)
  const third = slots.take('c')
  const order: string[] = []
  answer.resolve('well')
  setTimeout(() => {
    order.push('a slot is free')
    other.leave()
  }, 100)
  order.push(await heard)
  expect(order).toEqual(['a slot is free', 'well'])
  expect(slots.isFull()).toBe(true)
  third.leave()
})

test('a finished task needs no slot, and families leave room for others when they return', async () => {
  const slots = createTaskSlots({ concurrency: 3, slotReleaseMs: 0 })
  const answers = [0, 1, 2].map(() => Promise.withResolvers<void>())
  let over = false
  const waits: Promise<void>[] = []
  for (const { promise } of answers) {
    expect(slots.hasSlot('a')).toBe(true)
    const isOver = () => over
    waits.push(slots.take('a').withoutSlot(() => promise, isOver))
    await expect.poll(() => slots.hasSlot('a')).toBe(true)
  }
  for (const { resolve } of answers) resolve()
  await Promise.race(waits)
  await expect.poll(() => slots.hasSlot('a')).toBe(false)
  expect(slots.hasSlot('b')).toBe(true)
  over = true
  await Promise.all(waits)
})

test('returning tasks get the next free slot in turn, before new tasks', async () => {
  const slots = createTaskSlots({ concurrency: 1, slotReleaseMs: 0 })
  const order: string[] = []
  const answers: PromiseWithResolvers<void>[] = []
  const [first, second] = await Promise.all(
    ['a', 'b'].map(async (family, at) => {
      const answer = Promise.withResolvers<void>()
      answers.push(answer)
      if (at > 0) await expect.poll(() => slots.hasSlot(family)).toBe(true)
      const slot = slots.take(family)
      const heard = slot
        .withoutSlot(() => answer.promise, goesOn)
        .then(() => void order.push(family))
      return { slot, heard }
    }),
  )
  await expect.poll(() => slots.isFull()).toBe(false)
  const third = slots.take('c')
  answers[1]!.resolve()
  await new Promise(setImmediate)
  answers[0]!.resolve()
  await new Promise(setImmediate)
  third.leave()
  expect([slots.hasSlot('c'), slots.isFull()]).toEqual([false, true])
  await second!.heard
  second!.slot.leave()
  expect([slots.hasSlot('c'), slots.isFull()]).toEqual([false, true])
  await first!.heard
  expect(order).toEqual(['b', 'a'])
  first!.slot.leave()
  expect(slots.isFull()).toBe(false)
})

test('work of a task while it waits for more occupies a slot', async () => {
  const slots = createTaskSlots({ concurrency: 1, slotReleaseMs: 0 })
  const asked = Promise.withResolvers<void>()
  const done = Promise.withResolvers<void>()
  const rest = Promise.withResolvers<void>()
  const order: string[] = []
  const slot = slots.take('a')
  const heard = slot.withoutSlot(async (withSlot) => {
    await asked.promise
    const parts = [0, 1].map((part) =>
      withSlot(async () => {
        order.push(`part ${part}`)
        await done.promise
      }),
    )
    await Promise.all([...parts, rest.promise])
  }, goesOn)
  await expect.poll(() => slots.isFull()).toBe(false)
  const other = slots.take('b')
  asked.resolve()
  await new Promise(setImmediate)
  expect(order).toEqual([])
  other.leave()
  expect(slots.isFull()).toBe(true)
  await expect.poll(() => order).toEqual(['part 0', 'part 1'])
  expect(slots.isFull()).toBe(true)
  done.resolve()
  await expect.poll(() => slots.isFull()).toBe(false)
  rest.resolve()
  await heard
  expect(slots.isFull()).toBe(true)
})
