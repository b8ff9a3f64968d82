import { expect, test } from 'vitest'
import { bodyRest, placesOf } from '../../../src/http/admit.ts'

const KIB = 1024

test.each([
  [1, 0, 1],
  [1, 64 * KIB - 1, 1],
  [1, 64 * KIB, 2],
  [4, 200 * KIB, 7],
  [1, 2048 * KIB, 9],
])('an operation with %i places and a body of %i bytes takes %i', (cost, bytes, places) => {
  expect(placesOf(cost, bytes)).toBe(places)
})

test.each([
  [16 * KIB, 0],
  [64 * KIB, 2],
  [2048 * KIB, 64],
  [100 * 1024 * KIB, 300],
])('after a body of %i bytes its organization rests for %i ms', (bytes, ms) => {
  expect(bodyRest(bytes)).toBe(ms)
})
