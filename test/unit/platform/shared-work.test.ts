import { expect, test } from 'vitest'
import { createSharedWork } from '../../../src/platform/shared-work.ts'

test('concurrent callers share the work, and its failure', async () => {
  const work = createSharedWork<number>()
  let begun = 0
  const gate = Promise.withResolvers<number>()
  const begin = () => {
    begun++
    return gate.promise
  }
  const both = [work.run('a', undefined, begin), work.run('a', undefined, begin)]
  const other = work.run('b', undefined, async () => 2)
  gate.resolve(1)
  expect(await Promise.all([...both, other])).toEqual([1, 1, 2])
  expect(begun).toBe(1)
  const fail = () => Promise.reject(new Error('no'))
  const failed = await Promise.allSettled([
    work.run('a', undefined, fail),
    work.run('a', undefined, fail),
  ])
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
})

test('a caller that cancels does not affect the others; the last one ends the work', async () => {
  const work = createSharedWork<number>()
  const gate = Promise.withResolvers<number>()
  let ended = false
  const begin = (signal: AbortSignal) => {
    signal.addEventListener('abort', () => {
      ended = true
    })
    return gate.promise
  }
  const [first, second] = [new AbortController(), new AbortController()]
  const left = work.run('a', first.signal, begin)
  const stays = work.run('a', second.signal, begin)
  first.abort(new Error('gone'))
  await expect(left).rejects.toThrow('gone')
  expect(ended).toBe(false)
  second.abort(new Error('gone, too'))
  await expect(stays).rejects.toThrow('gone, too')
  expect(ended).toBe(true)
  expect(await work.run('a', undefined, async () => 3)).toBe(3)
})
