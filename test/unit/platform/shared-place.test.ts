import { expect, test } from 'vitest'
import { sharedPlace } from '../../../src/platform/shared-place.ts'

test('a place is released when nobody works and somebody waits', () => {
  let left = 0
  const place = sharedPlace(() => left++, 3)
  const [a, b, c] = [place.part(), place.part(), place.part()]
  a.leave()
  a.leave()
  b.end()
  b.end()
  expect(left).toBe(0)
  c.leave()
  expect(left).toBe(1)
})

test('a place is kept until the answer if nobody waits', () => {
  let left = 0
  const place = sharedPlace(() => left++, 2)
  const [a, b] = [place.part(), place.part()]
  a.leave()
  a.end()
  b.end()
  b.leave()
  expect(left).toBe(0)
})
