import { expect, test } from 'vitest'
import { DistinctEstimate } from '../../../src/platform/distinct-estimate.ts'
import { fnv1a } from '../../../src/platform/fnv1a.ts'

test.each([0, 1, 1_000, 100_000, 500_000])('distinct values are counted: %i', (count) => {
  const estimate = new DistinctEstimate()
  for (let at = 0; at < count; at++) {
    estimate.add(fnv1a(`SN-${at}`))
    if (at % 3 === 0) estimate.add(fnv1a(`SN-${at}`))
  }
  expect(Math.abs(estimate.count() - count)).toBeLessThanOrEqual(count / 50)
})
