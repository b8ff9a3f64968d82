import { describe, expect, test } from 'vitest'
import { createEventLoopWatchdog } from '../../../src/tasks/event-loop-watchdog.ts'

function watched() {
  const clock = { now: 0, cpuMs: 0 }
  const watchdog = createEventLoopWatchdog({
    stallMs: 5_000,
    now: () => clock.now,
    cpuMs: () => clock.cpuMs,
  })
  return { clock, watchdog }
}

describe('an event loop', () => {
  test('is reported as blocked for the time of a long computation', () => {
    const { clock, watchdog } = watched()
    clock.now = 250
    watchdog.tick()
    clock.now += 6_000
    clock.cpuMs += 5_500
    expect(watchdog.blockedMs()).toBe(6_000)
  })

  test('is not if it turns in between, however much is computed', () => {
    const { clock, watchdog } = watched()
    for (let tick = 0; tick < 40; tick++) {
      clock.now += 250
      clock.cpuMs += 250
      expect(watchdog.blockedMs()).toBe(0)
      watchdog.tick()
    }
  })

  test('is not if the process was frozen, or had no processor', () => {
    const { clock, watchdog } = watched()
    clock.now = 30_000
    clock.cpuMs = 2_000
    expect(watchdog.blockedMs()).toBe(0)
  })
})
