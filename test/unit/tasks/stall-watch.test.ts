import { describe, expect, test } from 'vitest'
import { createStallWatch } from '../../../src/tasks/stall-watch.ts'

function watched() {
  const clock = { now: 0, computed: 0 }
  const stall = createStallWatch({
    stallMs: 5_000,
    now: () => clock.now,
    computed: () => clock.computed,
  })
  return { clock, stall }
}

describe('an event loop', () => {
  test('is reported as blocked for the time of a long computation', () => {
    const { clock, stall } = watched()
    clock.now = 250
    stall.tick()
    clock.now += 6_000
    clock.computed += 5_500
    expect(stall.stoodFor()).toBe(6_000)
  })

  test('is not if it turns in between, however much is computed', () => {
    const { clock, stall } = watched()
    for (let tick = 0; tick < 40; tick++) {
      clock.now += 250
      clock.computed += 250
      expect(stall.stoodFor()).toBe(0)
      stall.tick()
    }
  })

  test('is not if the process was frozen, or had no processor', () => {
    const { clock, stall } = watched()
    clock.now = 30_000
    clock.computed = 2_000
    expect(stall.stoodFor()).toBe(0)
  })
})
