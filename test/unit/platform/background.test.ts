import { expect, test, vi } from 'vitest'
import { createBackground } from '../../../src/platform/background.ts'
import { createLog } from '../../../src/platform/log.ts'

const pending = () => new Promise<void>(() => undefined)
const background = () => createBackground(createLog('silent'), 16)

test('work of one owner leaves room for that of others, and work of owners for work without one', () => {
  const { run } = background()
  const begun = (owner?: string) =>
    Array.from({ length: 16 }, () => run('work', pending, owner)).filter(Boolean).length
  expect(begun('a')).toBe(4)
  expect(begun('b')).toBe(4)
  expect(begun('c')).toBe(0)
  expect(begun()).toBe(8)
})

test('completed or failed work makes room again', async () => {
  const { run, settled } = background()
  const work = vi.fn(() => Promise.reject(new Error('gone')))
  for (let at = 0; at < 3; at++) {
    for (let one = 0; one < 4; one++) run('work', work, 'a')
    await settled()
  }
  expect(work).toHaveBeenCalledTimes(12)
})
