import { describe, expect, test } from 'vitest'
import { createLeaseWatch } from '../../../src/tasks/lease-watch.ts'
import { hasProgressed } from '../../../src/tasks/progress.ts'
import { noRowCounts } from '../../../src/tasks/task.ts'

describe('a lease', () => {
  const lease = { holder: 'a', fence: 1, beat: 0, ms: 1_000, free: false, attempts: 1 }
  const watched = () => {
    let now = 5_000
    const watch = createLeaseWatch(() => now)
    return {
      watch,
      pass(ms: number) {
        now += ms
      },
    }
  }

  test('expires if nothing was heard of its holder for its duration', () => {
    const { watch, pass } = watched()
    expect(watch.hasLapsed('t', lease)).toBe(false)
    pass(999)
    expect(watch.hasLapsed('t', lease)).toBe(false)
    pass(1)
    expect(watch.hasLapsed('t', lease)).toBe(true)
  })

  test('starts again with each heartbeat of its holder, and with another holder', () => {
    const { watch, pass } = watched()
    for (const heard of [lease, { ...lease, beat: 1 }, { ...lease, fence: 2 }]) {
      expect(watch.hasLapsed('t', heard)).toBe(false)
      pass(900)
      expect(watch.hasLapsed('t', heard)).toBe(false)
    }
    pass(100)
    expect(watch.hasLapsed('t', { ...lease, fence: 2 })).toBe(true)
  })

  test('that was released can be taken at once', () => {
    expect(watched().watch.hasLapsed('t', { ...lease, free: true })).toBe(true)
  })

  test('of a task that was not listed is observed from the start', () => {
    const { watch, pass } = watched()
    watch.hasLapsed('t', lease)
    watch.keepOnly(['other'])
    pass(2_000)
    expect(watch.hasLapsed('t', lease)).toBe(false)
  })
})

describe('a task has made progress', () => {
  const taken = {
    checkpoint: { rows: 5 },
    counts: { ...noRowCounts, processed: 5 },
    percentCompleted: 1,
  }

  test.each([
    [{}, false],
    [{ message: 'Reading the file.' }, false],
    [taken, false],
    [{ counts: { ...noRowCounts, processed: 6 } }, true],
    [{ percentCompleted: 1.1 }, true],
    [{ checkpoint: { rows: 6 } }, true],
  ])('with %o: %s', (progress, expected) => {
    expect(hasProgressed(taken, progress)).toBe(expected)
  })
})
