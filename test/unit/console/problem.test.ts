import { AisleError } from 'aisle-client'
import { expect, test } from 'vitest'
import { waitAfter } from '../../../storefront/src/console/problem.ts'

test('a failed request is sent again after Retry-After, else ever later', () => {
  const busy = (retryAfter: number) => new AisleError(429, 'Busy', { retryAfter })
  expect([5, 0, 3_000_000].map((wait) => waitAfter(busy(wait), 0))).toEqual([5, 1, 2_147_483])
  const away = new AisleError(0, 'Unreachable')
  expect([0, 1, 9].map((tries) => waitAfter(away, tries))).toEqual([2, 4, 30])
  expect(waitAfter(new AisleError(400, 'name: required'), 0)).toBeUndefined()
  expect(waitAfter(new TypeError('a defect'), 0)).toBeUndefined()
})
