import { expect, test } from 'vitest'
import { createAnswers } from '../../../src/realtime/answers.ts'

test('is shared while it is on its way, then believed for its time', async () => {
  const answers = createAnswers<number>(10)
  const { promise, resolve } = Promise.withResolvers<number>()
  answers.share('a', promise, { now: 0, until: (until) => until })
  expect(answers.get('a', 9_999_999)).toBe(promise)
  expect(answers.get('b', 0)).toBeUndefined()
  resolve(500)
  await promise
  expect(await answers.get('a', 499)).toBe(500)
  expect(answers.get('a', 500)).toBeUndefined()
  expect(answers.get('a', 0)).toBeUndefined()
})

test('a failure is not kept', async () => {
  const answers = createAnswers<number>(10)
  const failed = Promise.reject(new Error('away'))
  answers.share('a', failed, { now: 0, until: () => 500 })
  await expect(failed).rejects.toThrow('away')
  expect(answers.get('a', 0)).toBeUndefined()
})

test('the oldest give way when there are too many', async () => {
  const answers = createAnswers<string>(2)
  for (const key of ['a', 'b', 'a', 'c']) {
    answers.share(key, Promise.resolve(key), { now: 0, until: () => 1 })
  }
  expect(answers.get('b', 0)).toBeUndefined()
  expect(await answers.get('a', 0)).toBe('a')
  expect(await answers.get('c', 0)).toBe('c')
})

test('what is believed no longer takes no room', async () => {
  const answers = createAnswers<number>(10)
  for (const until of [5, 6, 50]) {
    answers.share(`${until}`, Promise.resolve(until), { now: 0, until: (value) => value })
  }
  await Promise.resolve()
  expect(answers.size()).toBe(3)
  answers.share('next', Promise.resolve(90), { now: 10, until: (value) => value })
  expect(answers.size()).toBe(2)
})
